// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc
import TestSupport
import Testing
import Unwinding
import VakaModel

/// From a real crash's record to physical frames, against gdb's.
@Suite struct PhysicalFramesTests {
    private static let crashers = Crasher.reported.filter { $0.physical == nil }

    @Test(arguments: crashers) func framesEqualThoseOfGdb(crasher: Crasher) throws {
        let unwinder = Unwinder(finder: ImageFinder())
        try Self.compareWithGdb(crasher) { unwinder.unwind($0) }
    }

    /// From the record alone: no image is opened, no captured stack is looked at.
    @Test(arguments: crashers) func theHandlersOwnFramesEqualThoseOfGdb(crasher: Crasher) throws {
        try Self.compareWithGdb(crasher) { $0 }
    }

    /// Where no image is to be had, what the handler found stays.
    @Test(arguments: crashers) func framesWithoutAnyImageEqualThoseOfGdb(crasher: Crasher) throws {
        let nothing = Unwinder(finder: ImageFinder(useSystem: false))
        try Self.compareWithGdb(crasher) { nothing.unwind($0) }
    }

    private static func compareWithGdb(_ crasher: Crasher, _ prepare: (Event) -> Event) throws {
        let event = prepare(try CrashRun.shared(crasher).event())
        let frames = try #require(event.crashedThread).frames.filter { $0.trust != .async }
        let comparison = FrameComparison(
            name: crasher.name, expected: try GdbTruth.of(crasher, preload: true).frames.map(\.text),
            found: frames.map { text($0, event.debugImages) }, depth: crasher.depth)
        #expect(comparison.total > 0)
        #expect(comparison.differences.isEmpty)
    }

    /// Module and module-relative address. gdb names a library by its file, the record by the link that was opened; the
    /// kernel's virtual one has a name of its own in each.
    private static func text(_ frame: Frame, _ images: [DebugImage]) -> String {
        let address = frame.instructionAddress
        guard let image = images.first(where: { $0.contains(address.rawValue) }), let path = image.codeFile else {
            return "- \(address)"
        }
        let file = realpath(path, nil)
        defer { free(file) }
        let name = path == "linux-vdso.so.1" ? "[vdso]" : file.map { String(cString: $0) } ?? path
        let relative = HexAddress(address.rawValue &- image.imageAddress.rawValue)
        return "\(name.split(separator: "/").last ?? "-") \(relative)"
    }
}

extension GdbTruth.Frame {
    fileprivate var text: String { "\(module ?? "-") 0x\(String(relative, radix: 16))" }
}
