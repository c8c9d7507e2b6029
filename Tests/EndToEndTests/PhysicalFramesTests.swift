// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc
import TestSupport
import Testing
import Unwinding
import VakaModel

/// From a real crash's record to physical frames, against gdb's.
@Suite struct PhysicalFramesTests {
    @Test func framesEqualThoseOfGdb() throws {
        let unwinder = Unwinder(finder: ImageFinder())
        let sum = try Self.comparedWithGdb { unwinder.unwind($0) }
        #expect(sum.share >= 0.97)
    }

    /// From the record alone: no image is opened, no captured stack is looked at.
    @Test func theHandlersOwnFramesEqualThoseOfGdb() throws {
        let sum = try Self.comparedWithGdb { $0 }
        #expect(sum.share >= 0.97)
    }

    /// Where no image is to be had, what the handler found stays.
    @Test func framesWithoutAnyImageEqualThoseOfGdb() throws {
        let nothing = Unwinder(finder: ImageFinder(useSystem: false))
        let sum = try Self.comparedWithGdb { nothing.unwind($0) }
        #expect(sum.share >= 0.97)
    }

    private static func comparedWithGdb(_ prepare: (Event) -> Event) throws -> FrameComparison {
        var sum = FrameComparison()
        for crasher in Crasher.all where crasher.physical == nil {
            let event = prepare(try CrashRun(crasher).event())
            let frames = try #require(event.crashedThread, "\(crasher)").frames.filter { $0.trust != .async }
            let comparison = FrameComparison(
                name: crasher.name, expected: try GdbTruth.of(crasher, preload: true).frames.map(\.text),
                found: frames.map { text($0, event.debugImages) }, depth: crasher.depth)
            print("\(crasher): \(comparison.equal) of \(comparison.total) frames")
            sum += comparison
        }
        sum.differences.forEach { print($0) }
        print("equal to gdb: \(sum.equal) of \(sum.total) frames")
        return sum
    }

    /// Module and module-relative address. gdb names a library by its file, the record by the link that was opened.
    private static func text(_ frame: Frame, _ images: [DebugImage]) -> String {
        let address = frame.instructionAddress
        guard let image = images.first(where: { $0.contains(address.rawValue) }), let path = image.codeFile else {
            return "- \(address)"
        }
        let file = realpath(path, nil)
        defer { free(file) }
        let name = file.map { String(cString: $0) } ?? path
        let relative = HexAddress(address.rawValue &- image.imageAddress.rawValue)
        return "\(name.split(separator: "/").last ?? "-") \(relative)"
    }
}

extension GdbTruth.Frame {
    fileprivate var text: String { "\(module ?? "-") 0x\(String(relative, radix: 16))" }
}
