// SPDX-License-Identifier: Apache-2.0
import DebugImages
import TestSupport
import Testing
import Unwinding
import VakaModel

/// The handler's walk over the living process against the later one over the captured memory and the images' files.
@Suite struct WalkAgreementTests {
    @Test(arguments: Crasher.reported)
    func bothFindTheSameFrames(crasher: Crasher) throws {
        let event = try CrashRun.shared(crasher).event()
        let own = try #require(event.crashedThread)
        var bare = event
        for index in bare.threads.indices { bare.threads[index].frames = [] }
        let later = try #require(Unwinder(finder: ImageFinder()).unwind(bare).crashedThread)
        var (left, right) = (Self.physical(own), Self.physical(later))
        // Each has a bound of its own; a stack that overflowed is beyond both.
        if own.framesTruncated, later.framesTruncated { right = Array(right.prefix(left.count)) }
        let comparison = FrameComparison(name: crasher.name, expected: right, found: left)
        #expect(comparison.differences.isEmpty, "\(comparison.differences)")
        #expect(own.framesTruncated == later.framesTruncated)
        left = own.frames.map { "\($0.lookupAddress)" }
        right = Array(later.frames.filter { $0.trust != .async }.map { "\($0.lookupAddress)" }.prefix(left.count))
        #expect(left == right)
    }

    private static func physical(_ thread: ThreadState) -> [String] {
        thread.frames.filter { $0.trust != .async }.map { "\($0.instructionAddress)" }
    }
}
