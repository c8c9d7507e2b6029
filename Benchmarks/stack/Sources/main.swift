// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import DebugImages
import FoundationEssentials
import Glibc
import Symbolication
import VakaModel

/// stack-bench RECORD CACHES: how long the stack of a record takes, its files' symbol caches being there.
/// One `name value unit` line each, of processor time.
let rounds = 301

/// Of processor time: what others do on this machine counts less.
func median(_ body: () -> Void) -> Double {
    var times = (0..<rounds).map { _ in
        let start = clock()
        body()
        return Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1000
    }
    times.sort()
    return times[rounds / 2]
}

func line(_ name: String, _ value: Double, _ unit: String) {
    print("\(name) \((value * 1000).rounded() / 1000) \(unit)")
}

func run() throws {
    let record = CommandLine.arguments[1]
    let caches = SymbolCacheFolder(path: CommandLine.arguments[2])
    let options = Symbolicator.Options(caches: caches)
    let finder = ImageFinder()
    let event = try CrashRecordFile(contentsOf: record).event()
    var crash = event
    crash.threads.removeAll { !$0.crashed }
    var bare = crash
    bare.threads[0].frames = []

    let first = Symbolicator(finder: finder, options: options)
    let named = first.symbolicate(crash)
    first.keepCaches()
    let frames = named.threads[0].frames
    line("stack_frames", Double(frames.filter { !$0.inlined }.count), "frames")
    line("stack_levels", Double(frames.count), "levels")

    let warm = Symbolicator(finder: finder, options: options)
    _ = warm.symbolicate(crash)
    guard warm.symbolicate(bare).threads[0].frames.map(\.function) == frames.map(\.function) else {
        throw CocoaError(.featureUnsupported)
    }
    line("stack_named", median { _ = warm.symbolicate(crash) }, "ms")
    line("stack_walked_and_named", median { _ = warm.symbolicate(bare) }, "ms")
    line(
        "stack_named_first_event",
        median { _ = Symbolicator(finder: finder, options: options).symbolicate(crash) }, "ms")
}

try run()
