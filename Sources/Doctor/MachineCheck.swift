// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Glibc
import Supervision
import VakaModel

/// What of the machine and the container bears on crashes, though no capture depends on it.
struct MachineCheck {
    /// Before and after these seconds since 1970 no clock is right.
    private static let sensible = 1_700_000_000...4_000_000_000

    let cgroupRoot: String

    func findings() -> [Finding] { [cores(), ptrace(), memoryKills(), firstProcess(), clock()] }

    private func cores() -> Finding {
        guard let pattern = Self.text("/proc/sys/kernel/core_pattern") else {
            return Finding(.cores, .ok, "where cores go is not known, as /proc does not tell")
        }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &limit)
        let isUnlimited = limit.rlim_cur == rlim_t.max
        let measured: [String: JSONValue] = [
            "core_pattern": .string(pattern),
            "limit_bytes": isUnlimited ? .null : .integer(Int64(clamping: limit.rlim_cur)),
        ]
        let says: String
        if pattern.hasPrefix("|") {
            let handler = pattern.dropFirst().split(separator: " ").first.map(String.init) ?? ""
            says =
                pattern.contains("vaka collect")
                ? "cores go to vaka collect, which records the crashes of other programs, too"
                : "cores go to \(handler), after the record is written"
        } else if limit.rlim_cur == 0 {
            says = "no cores are written (their limit is 0)"
        } else {
            says = "cores are written to \"\(pattern)\", after the record is written"
        }
        return Finding(.cores, .ok, says, measured: measured)
    }

    private func ptrace() -> Finding {
        let words = ["any process of the same user", "ancestors only", "the superuser only", "nobody"]
        guard let scope = Self.text("/proc/sys/kernel/yama/ptrace_scope"), let number = Int(scope),
            words.indices.contains(number)
        else { return Finding(.ptrace, .ok, "debuggers are not limited; a capture needs no ptrace") }
        return Finding(
            .ptrace, .ok, "debuggers may be attached by \(words[number]); a capture needs no ptrace",
            measured: ["ptrace_scope": .integer(Int64(number))])
    }

    private func memoryKills() -> Finding {
        if let count = ControlGroup(root: cgroupRoot).figures.kills {
            return Finding(
                .memoryKills, .ok, "the control group tells of kills for memory",
                measured: ["kills": .integer(Int64(clamping: count))])
        }
        return Finding(
            .memoryKills, .degraded, "no control group tells of kills for memory",
            costs: "a kill for memory looks like any other SIGKILL",
            mend: "mount \(cgroupRoot) for the program, with the memory controller")
    }

    private func firstProcess() -> Finding {
        let pid = getpid()
        let measured: [String: JSONValue] = ["pid": .integer(Int64(pid))]
        guard pid == 1 else { return Finding(.firstProcess, .ok, "this is not process 1", measured: measured) }
        return Finding(
            .firstProcess, .ok,
            "this is process 1: a program in its place ends with 128 + the signal; vaka run also reaps orphans",
            measured: measured)
    }

    private func clock() -> Finding {
        let seconds = Int(time(nil))
        guard !Self.sensible.contains(seconds) else { return Finding(.clock, .ok, "the clock is plausible") }
        return Finding(
            .clock, .degraded, "the clock says \(Timestamp(nanoseconds: UInt64(max(0, seconds)) * 1_000_000_000))",
            costs: "crashes have wrong times, and the service may take them for too old", mend: "set the clock")
    }

    private static func text(_ path: String) -> String? {
        guard let bytes = try? BoundedFile.read(path, limit: 4096) else { return nil }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }, as: UTF8.self)
    }
}
