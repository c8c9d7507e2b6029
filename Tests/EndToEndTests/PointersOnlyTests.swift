// SPDX-License-Identifier: Apache-2.0
import DebugImages
import TestSupport
import Testing
import Unwinding
import VakaModel

/// The crash table once more, with pointers alone of registers and stacks: nothing is lost of any stack.
@Suite struct PointersOnlyTests {
    /// The library that a program links reads no variables. One configuration of each stands for all.
    private static let crashers = Crasher.reported.filter { $0.isDefaultConfiguration && !$0.linked }

    @Test(arguments: crashers)
    func theMemoryAloneLeadsToEveryFrame(crasher: Crasher) throws {
        let event = try CrashRun(crasher, with: ["VAKA_MEMORY_POINTERS_ONLY=1"]).event()
        #expect(event.threads.allSatisfy { $0.pointersOnly == true })
        let usual = try CrashRun.shared(crasher).event()
        let own = try #require(event.crashedThread)
        let (left, right) = (Self.places(own, in: event), Self.places(try #require(usual.crashedThread), in: usual))
        #expect(left == right)
        // From the memory, as from the whole memory; awaiting callers, too.
        let later = Self.places(try Self.walked(event), in: event)
        #expect(later == Self.places(try Self.walked(usual), in: usual))
    }

    private static func walked(_ event: Event) throws -> ThreadState {
        var bare = event
        for index in bare.threads.indices { bare.threads[index].frames = [] }
        return try #require(Unwinder(finder: ImageFinder()).unwind(bare).crashedThread)
    }

    /// A stack may be used up by any instruction that touches it, and a signal that is sent may come at any.
    private static func places(_ thread: ThreadState, in event: Event) -> [String] {
        let isAnywhere = event.reason?.kind == .stackOverflow || event.reason?.code == "SI_TKILL"
        return thread.frames.dropFirst(isAnywhere ? 1 : 0).map { frame in
            let place = frame.module.map { "\($0) \(frame.relativeAddress?.description ?? "")" } ?? "elsewhere"
            return "\(place) \(frame.trust)"
        }
    }
}
