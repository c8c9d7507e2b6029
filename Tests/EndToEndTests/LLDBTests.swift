// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

private let lldb = "/usr/bin/lldb-14"

/// `vaka core` on the records of real crashes, opened with Debian's lldb: it walks every thread to the same frames.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: lldb))) struct LLDBTests {
    private static let crashers = [
        "abort", "assert-failure", "divide-by-zero", "double-free", "force-unwrap", "inlining", "null-read",
        "null-write", "pure-virtual", "raise-segv", "uncaught-exception", "worker-thread",
    ]

    /// The frames of lldb's `thread backtrace all`, inlined ones too, by thread in its order.
    private func addresses(_ text: String) -> [[UInt64]] {
        var threads: [[UInt64]] = []
        for line in text.split(separator: "\n") {
            if line.contains("thread #") { threads.append([]) }
            guard let number = line.firstRange(of: "frame #"), !threads.isEmpty,
                let start = line[number.upperBound...].firstRange(of: "0x")
            else { continue }
            let digits = line[start.upperBound...].prefix(while: \.isHexDigit)
            threads[threads.count - 1].append(UInt64(digits, radix: 16) ?? 0)
        }
        return threads
    }

    /// Whether all of `frames` are there, in their order, ending both.
    private func holds(_ seen: [UInt64], _ frames: [UInt64]) -> Bool {
        guard seen.last == frames.last else { return false }
        var rest = seen[...]
        return frames.allSatisfy { address in
            guard let place = rest.firstIndex(of: address) else { return false }
            rest = rest[(place + 1)...]
            return true
        }
    }

    @Test(arguments: Crasher.all.filter { crashers.contains($0.name) })
    func everyThreadsStackIsShown(crasher: Crasher) throws {
        let folder = try TemporaryFolder()
        let record = try #require(CrashRun.shared(crasher).records.first)
        let core = folder.path + "/core"
        let command = BuildProducts.executable("vaka")
        let written = try ChildProcess.run(command, ["core", record, "-o", core])
        #expect(written.status == .exited(0), "\(written.errors)")
        let read = try ChildProcess.run(command, ["symbolicate", "--format", "json", record])
        let event = try ModelCoding.decode(Event.self, from: read.outputData)

        let answer = try ChildProcess.run(
            lldb, ["--batch", "-c", core, "-o", "thread backtrace all", crasher.executable], seconds: 120)
        let seen = addresses(answer.output)
        let known = event.threads.filter { !$0.registers.isEmpty }
        #expect(seen.count == known.count, "\(answer)")
        for thread in known {
            let frames = thread.frames.filter { !$0.inlined && $0.trust != .async }.map(\.instructionAddress.rawValue)
            #expect(seen.contains { holds($0, frames) }, "thread \(thread.id): \(frames) not in \(seen)")
        }
        // Debian's lldb knows no Swift.
        for frame in crasher.frames where frame.line != nil && crasher.language != "swift" {
            #expect(answer.output.contains("\(frame.file):\(frame.line ?? 0)"), "\(answer.output)")
        }
    }
}
