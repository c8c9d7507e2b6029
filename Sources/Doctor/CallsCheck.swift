// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import VakaModel

/// Which of the system calls that a capture makes a sandbox lets pass.
struct CallsCheck {
    private static let modes = ["0": "no seccomp", "1": "seccomp's strict mode", "2": "seccomp filters"]

    /// Of the child that tried them; nil where it could not be started.
    let trial: Trial?

    func finding() -> Finding {
        let mode = Self.field("Seccomp") ?? "unknown"
        let filters = Self.field("Seccomp_filters")
        var says = Self.modes[mode] ?? "whether there is seccomp is not known"
        if mode == "2", let filters { says += " (\(filters))" }
        let refused = refused()
        let measured: [String: JSONValue] = [
            "seccomp": .string(mode), "refused": .array(refused.map { .string($0.name) }),
        ]
        guard trial != nil else { return Finding(.calls, .degraded, "\(says); they could not be tried") }
        if let fatal = refused.first(where: \.isFatal) {
            return Finding(
                .calls, .missing, "\(says): \(fatal.name) ends the process", costs: "crashes may be lost",
                mend: "let the profile answer an error (SCMP_ACT_ERRNO) in place of ending the process",
                measured: measured)
        }
        guard refused.isEmpty else {
            let names = refused.map { "\($0.name) (\($0.error.errorText))" }.joined(separator: ", ")
            return Finding(
                .calls, .degraded, "\(says); refused: \(names)",
                costs: "the handler does without: less is known of other threads, or a hung stage is not ended",
                mend: "allow these calls in the container's seccomp profile", measured: measured)
        }
        return Finding(.calls, .ok, "\(says); every system call of a capture is allowed", measured: measured)
    }

    private struct Refusal {
        var name: String
        var error: Int32
        var isFatal: Bool
    }

    /// Each call has a line before it and one after it.
    private func refused() -> [Refusal] {
        let lines = String(decoding: trial?.run.answers ?? [], as: UTF8.self).split(separator: "\n")
        var last: [Substring: Int32] = [:]
        var order: [Substring] = []
        for line in lines {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let error = Int32(parts[1]) else { continue }
            if last[parts[0]] == nil { order.append(parts[0]) }
            last[parts[0]] = error
        }
        return order.compactMap { name in
            guard let error = last[name], error != 0 else { return nil }
            return Refusal(name: String(name), error: error, isFatal: error == -1)
        }
    }

    private static func field(_ name: String) -> String? {
        let bytes = (try? BoundedFile.read("/proc/self/status", limit: 64 << 10)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("\(name):") }
            .map { $0.dropFirst(name.count + 1).filter { !$0.isWhitespace } }
    }
}
