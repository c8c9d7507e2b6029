// SPDX-License-Identifier: Apache-2.0
import CoreFile
import CrashRecord
import FoundationEssentials
import Glibc

/// The crashed process as this host's `/proc` still shows it: the kernel keeps it until its core has been read.
struct HostProcess {
    private static let longestFile = 64 << 10

    let id: Int32
    private let folder: String
    /// Ids in the process's notes are those that it sees itself, which are other ones in a container.
    private let isInOurNamespace: Bool

    /// Nil where there is no such process any more, or another one than the core is of: what the kernel told it at its
    /// start (addresses chosen at random among it) must be the same.
    init?(id: Int32, auxiliary: [UInt8]) {
        self.id = id
        folder = "/proc/\(id)"
        let told = (try? BoundedFile.read("\(folder)/auxv", limit: Self.longestFile)) ?? []
        guard id > 0, !told.isEmpty, Self.entries(told) == Self.entries(auxiliary) else { return nil }
        let namespaces = Self.field("NSpid", of: "\(folder)/status") ?? ""
        isInOurNamespace = namespaces.split(whereSeparator: \.isWhitespace).count == 1
    }

    /// Up to the one that ends them: what follows differs from writer to writer.
    private static func entries(_ auxiliary: [UInt8]) -> ArraySlice<UInt8> {
        let end = stride(from: 0, to: auxiliary.count, by: 16).first { auxiliary.value(UInt64.self, at: $0) == 0 }
        return auxiliary.prefix(end ?? auxiliary.count)
    }

    /// The names of its threads by their ids as it sees them.
    func threadNames() -> [Int: String] {
        var names: [Int: String] = [:]
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")) ?? []
        for thread in threads {
            let task = "\(folder)/task/\(thread)"
            guard let name = Self.text("\(task)/comm"), let id = isInOurNamespace ? Int(thread) : Self.innerID(task)
            else { continue }
            names[id] = String(name.prefix { $0 != "\n" })
        }
        return names
    }

    /// The last of the ids that a thread has, from the outermost namespace to its own.
    private static func innerID(_ task: String) -> Int? {
        field("NSpid", of: "\(task)/status")?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
    }

    /// The name of another process that it knows by this id; nil where that cannot be told.
    func name(ofOther id: Int32) -> String? {
        guard isInOurNamespace, let name = Self.text("/proc/\(id)/comm") else { return nil }
        return String(name.prefix { $0 != "\n" })
    }

    var executable: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/exe")
    }

    var controlGroups: String { Self.text("\(folder)/cgroup") ?? "" }

    /// A variable of its environment, as it was at its start.
    func variable(_ name: String) -> String? {
        let bytes = (try? BoundedFile.read("\(folder)/environ", limit: 1 << 20)) ?? []
        let prefix = Array("\(name)=".utf8)
        return bytes.split(separator: 0).first { $0.starts(with: prefix) }
            .map { String(decoding: $0.dropFirst(prefix.count), as: UTF8.self) }
    }

    /// A size that the kernel tells in KiB.
    func bytes(_ field: String) -> UInt64? {
        let kilobytes = Self.field(field, of: "\(folder)/status")?.split(whereSeparator: \.isWhitespace).first
        return kilobytes.flatMap { UInt64($0) }.flatMap { $0.multipliedReportingOverflow(by: 1024).partialValue }
    }

    /// When it was started, since the machine was, in nanoseconds (field 22 of proc(5)'s stat).
    var startedSinceBoot: UInt64? {
        guard let text = Self.text("\(folder)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let ticks = UInt64(fields[19]) else { return nil }
        let ticksPerSecond = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
        let nanoseconds = ticks.multipliedReportingOverflow(by: 1_000_000_000 / ticksPerSecond)
        return nanoseconds.overflow ? nil : nanoseconds.partialValue
    }

    /// The folder that is the root to it, open; -1 where that is not allowed.
    func openRoot() -> Int32 { open("\(folder)/root", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }

    /// Its memory, for reading at its addresses; -1 where that is not allowed.
    func openMemory() -> Int32 { open("\(folder)/mem", O_RDONLY | O_CLOEXEC) }

    /// The very file that is mapped there, also where its name is another file's by now; -1 where that is not allowed.
    func openMapped(_ start: UInt64, _ end: UInt64) -> Int32 {
        let name = "\(String(start, radix: 16))-\(String(end, radix: 16))"
        return open("\(folder)/map_files/\(name)", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    }

    private static func text(_ path: String) -> String? {
        (try? BoundedFile.read(path, limit: longestFile)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func field(_ name: String, of path: String) -> String? {
        text(path)?.split(separator: "\n").first { $0.hasPrefix("\(name):") }.map {
            String($0.dropFirst(name.count + 1))
        }
    }
}
