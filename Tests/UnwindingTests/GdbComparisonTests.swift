// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

@testable import Unwinding

/// The unwinder over memory that gdb captured, against the frames that gdb found in the very same process.
@Suite struct GdbComparisonTests {
    @Test func thereAreCrashers() {
        #expect(Crasher.all.count >= 15, "build them with `make crashers`")
    }

    @Test func framesEqualThoseOfGdb() throws {
        var sum = FrameComparison()
        for crasher in Crasher.all where !crasher.linked {
            let truth = try GdbTruth.of(crasher)
            let thread = try #require(Unwinder.onThisMachine.unwind(truth.event).crashedThread)
            let depth = crasher.depth ?? 512
            let comparison = FrameComparison(
                name: crasher.name, expected: truth.frames.prefix(depth).map(\.text),
                found: thread.frames.prefix(depth).map(\.text))
            print("\(crasher): \(comparison.equal) of \(comparison.total) frames")
            sum += comparison
        }
        sum.differences.forEach { print($0) }
        print("equal to gdb: \(sum.equal) of \(sum.total) frames")
        #expect(sum.share >= 0.97)
    }
}
