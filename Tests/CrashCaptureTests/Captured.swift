// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import FoundationEssentials
import TestSupport
import VakaModel

/// A program that was run with the capture core, and what it left.
struct Captured {
    let result: ChildProcess.Result
    let storage: TemporaryFolder

    var crashes: [String] { storage.entries("crashes") }
    var runs: [String] { storage.entries("runs") }

    struct Unexpected: Error, CustomStringConvertible {
        var description: String
    }

    /// The only record there is; throws when there is none or more than one.
    func record() throws -> CrashRecordFile {
        guard crashes.count == 1 else {
            throw Unexpected(description: "\(crashes.count) records; \(result.status); \(result.errors)")
        }
        return try CrashRecordFile(contentsOf: storage.path + "/crashes/" + crashes[0])
    }

    /// Runs a program that knows nothing of Vaka.
    static func preloaded(
        _ program: String, _ arguments: [String] = [], library: String? = nil, environment: [String: String?] = [:],
        storage: TemporaryFolder? = nil
    ) throws -> Captured {
        let storage = try storage ?? TemporaryFolder()
        let library = try library ?? CaptureLibrary.shared()
        let variables: [String: String?] = ["LD_PRELOAD": library, "VAKA_STORAGE": storage.path]
        let result = try ChildProcess.run(
            program, arguments, environment: variables.merging(environment) { _, given in given })
        return Captured(result: result, storage: storage)
    }

    /// Runs the program that uses the library.
    static func host(_ way: String, _ argument: String? = nil, storage: TemporaryFolder? = nil) throws -> Captured {
        let storage = try storage ?? TemporaryFolder()
        let arguments = [storage.path, way] + (argument.map { [$0] } ?? [])
        let result = try ChildProcess.run(try TestPrograms.host(), arguments)
        return Captured(result: result, storage: storage)
    }

    /// Runs the program that takes snapshots of itself.
    static func snapshots(_ way: String, _ argument: String? = nil, program: String? = nil) throws -> Captured {
        let storage = try TemporaryFolder()
        let arguments = [storage.path, way] + (argument.map { [$0] } ?? [])
        let result = try ChildProcess.run(try program ?? TestPrograms.snapshots(), arguments, seconds: 120)
        return Captured(result: result, storage: storage)
    }

    /// Runs the program that hangs, or not, with a bound in milliseconds.
    static func watches(_ way: String, _ bound: String = "200") throws -> Captured {
        let storage = try TemporaryFolder()
        let result = try ChildProcess.run(try TestPrograms.watches(), [storage.path, way, bound])
        return Captured(result: result, storage: storage)
    }

    /// What every record tells.
    func events() throws -> [Event] {
        try crashes.map { try CrashRecordFile(contentsOf: storage.path + "/crashes/" + $0).event() }
    }

    /// Runs the program that makes threads.
    static func threads(
        _ way: String, _ argument: String? = nil, program: String? = nil, environment: [String: String?] = [:]
    ) throws -> Captured {
        let storage = try TemporaryFolder()
        let arguments = [storage.path, way] + (argument.map { [$0] } ?? [])
        let result = try ChildProcess.run(
            try program ?? TestPrograms.threads(), arguments, environment: environment)
        return Captured(result: result, storage: storage)
    }
}

extension CrashRecordFile {
    /// The kinds of the sections, in the order of writing.
    var kinds: [Int] { sections.map { Int($0.kind) } }

    /// A whole record: nothing damaged, nothing missing at its end.
    var isWhole: Bool { isComplete && damage.isEmpty && header != nil }
}
