// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension ServerProcess {
    /// The most memory that the server held at once, in KiB; without its workers.
    func peakMemory() throws -> Int { try Self.peakMemory(process.processID) }

    /// The most that one of its workers held.
    func peakWorkerMemory() throws -> Int { try workers.map(Self.peakMemory).max() ?? 0 }

    /// To all of its workers: what waits for them waits.
    func signalWorkers(_ signal: Int32) throws {
        for worker in try workers { kill(worker, signal) }
    }

    private var workers: [Int32] {
        get throws {
            let task = "/proc/\(process.processID)/task"
            return try FileManager.default.contentsOfDirectory(atPath: task).flatMap { thread in
                let list = (try? String(contentsOfFile: "\(task)/\(thread)/children", encoding: .utf8)) ?? ""
                return list.split(separator: " ").compactMap { Int32($0) }
            }
        }
    }

    private static func peakMemory(_ process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber)))
    }
}
