// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

@testable import Unwinding

/// The unwinder over memory that gdb captured, against the frames that gdb found in the very same process, or the
/// declared ones where gdb is no truth.
@Suite struct GdbComparisonTests {
    @Test func thereAreCrashers() {
        #expect(Crasher.all.count >= 15, "build them with `make crashers`")
    }

    @Test func framesEqualThoseOfGdb() throws {
        var sum = FrameComparison()
        // A program that links the capture core is compared end to end.
        for crasher in Crasher.reported where crasher.isDefaultConfiguration && !crasher.linked {
            let truth = try GdbTruth.of(crasher)
            let event = truth.event
            let frames = try #require(Unwinder.onThisMachine.unwind(event).crashedThread).frames
            let comparison =
                if let declared = crasher.physical {
                    FrameComparison(name: crasher.name, declared: declared, found: names(frames, event))
                } else {
                    FrameComparison(
                        name: crasher.name, expected: truth.frames.map(\.text), found: frames.map(\.text),
                        depth: crasher.depth)
                }
            print("\(crasher): \(comparison.equal) of \(comparison.total) frames")
            sum += comparison
        }
        sum.differences.forEach { print($0) }
        print("equal to gdb: \(sum.equal) of \(sum.total) frames")
        #expect(sum.share >= 0.97)
    }

    private func names(_ frames: [Frame], _ event: Event) -> [String] {
        let images = ImageMap(event.debugImages) { ImageFiles(code: $0.codeFile, debug: nil) }
        return frames.map { frame in
            guard let image = images.image(at: frame.lookupAddress) else { return "nowhere" }
            // A compiler's copy of a function has a suffix: `.constprop.0`.
            return image.function(at: frame.lookupAddress).map { String($0.name.prefix { $0 != "." }) } ?? "?"
        }
    }
}
