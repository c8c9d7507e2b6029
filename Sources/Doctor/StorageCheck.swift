// SPDX-License-Identifier: Apache-2.0
import CDoctor
import CVakaRecord
import Glibc
import VakaModel

/// Where records are to be kept: can it be written to, and how much room is there.
struct StorageCheck {
    private static let littleBytes: UInt64 = 64 << 20
    private static let littleFiles: UInt64 = 100

    let path: String
    /// Nobody named it.
    let isSubstitute: Bool

    /// `error`: why the children have no folder in it; nil where they have.
    func finding(error: Int32?) -> Finding {
        guard let error else { return finding(space()) }
        return Finding(
            .storage, .missing, "\(path) cannot be written to: \(error.errorText)",
            costs: "crashes are not kept",
            mend: "name a folder that the program's user may write to: --storage, or VAKA_STORAGE",
            measured: ["path": .string(path)])
    }

    private func finding(_ space: (bytes: UInt64, files: UInt64)?) -> Finding {
        let name = isSubstitute ? "\(path), as no folder was named (--storage, VAKA_STORAGE)," : path
        guard let space else { return Finding(.storage, .ok, "\(name) can be written to") }
        let measured: [String: JSONValue] = [
            "path": .string(path), "free_bytes": .integer(Int64(clamping: space.bytes)),
        ]
        let says = "\(name) can be written to, \(Self.readable(space.bytes)) free"
        if space.bytes < Self.littleBytes {
            return Finding(
                .storage, .degraded, says, costs: "a few crashes fill it; then they are lost",
                mend: "make room, or name a folder with more: --storage", measured: measured)
        }
        if space.files < Self.littleFiles {
            return Finding(
                .storage, .degraded, "\(says), but only for \(space.files) more files",
                costs: "a few crashes fill it; then they are lost", mend: "remove files there", measured: measured)
        }
        return Finding(.storage, .ok, says, measured: measured)
    }

    private func space() -> (bytes: UInt64, files: UInt64)? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        // File systems that make entries as they need them have no number of free ones.
        let files = status.f_files == 0 ? UInt64.max : UInt64(status.f_favail)
        return (UInt64(status.f_bavail) * UInt64(status.f_frsize), files)
    }

    static func readable(_ bytes: UInt64) -> String {
        switch bytes {
        case ..<(1 << 10): "\(bytes) bytes"
        case ..<(1 << 20): "\(bytes >> 10) KiB"
        case ..<(1 << 30): "\(bytes >> 20) MiB"
        default: "\(bytes >> 30) GiB"
        }
    }

    /// The limit of the size of files, under which records are written.
    static func fileSize(isCaught: Bool, needed: UInt64) -> Finding {
        let limit = vaka_doctor_file_size_limit()
        guard limit != .max else { return Finding(.fileSize, .ok, "files may grow without a limit") }
        let measured: [String: JSONValue] = ["limit_bytes": .integer(Int64(clamping: limit))]
        let says = "files may have \(readable(limit)) at most (RLIMIT_FSIZE)"
        guard limit < needed else { return Finding(.fileSize, .ok, says, measured: measured) }
        return Finding(
            .fileSize, isCaught ? .degraded : .missing, says + ", and a record wants \(readable(needed))",
            costs: isCaught ? "records of programs with many threads may be cut" : "no record can be written",
            mend: "raise it where the program is started: ulimit -f, LimitFSIZE= of systemd", measured: measured)
    }
}
