// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import Unwinding

/// Image files with changed bytes in what the unwinder reads of them: headers, segments, call frame information.
@Suite struct DamagedFileTests {
    @Test func changedFilesNeverEndTheWalkBadly() throws {
        let crasher = try #require(Crasher.all.first { $0.name == "qsort-abort" }, "build it with `make crashers`")
        let truth = try GdbTruth.of(crasher)
        let original = try Data(contentsOf: URL(filePath: crasher.executable))
        let folder = try TemporaryFolder()
        let path = folder.path + "/image"
        var random = SeededRandom(seed: 7)
        let damaged = Unwinder { image in
            image.name == crasher.name
                ? ImageFiles(code: path, debug: path) : ImageFiles(code: image.codeFile, debug: nil)
        }
        let rounds = ProcessInfo.processInfo.environment["VAKA_SOAK"] == nil ? 300 : 20_000
        for _ in 0..<rounds {
            var data = original
            // Headers and program headers; or anywhere (the frame tables are a tenth of this file); or cut short.
            let limit = random.next().isMultiple(of: 2) ? 1024 : UInt64(data.count)
            for _ in 0..<(1 + random.next() % 12) {
                data[Int(random.next() % limit)] = UInt8(truncatingIfNeeded: random.next())
            }
            if random.next().isMultiple(of: 8) { data = data.prefix(Int(random.next() % UInt64(data.count))) }
            try data.write(to: URL(filePath: path))
            let thread = damaged.unwind(truth.event).threads[0]
            #expect(thread.frames.count <= StackWalk.maximumFrames)
            #expect(thread.frames.first?.instructionAddress.rawValue == truth.frames[0].address)
        }
    }
}
