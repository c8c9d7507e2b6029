// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Glibc
import VakaModel

/// The machine, of a program that told nothing of it: the same facts as the capture core's.
enum HostContexts {
    private static let osKeys = ["NAME": "name", "VERSION_ID": "version", "ID": "id", "PRETTY_NAME": "pretty_name"]

    static var contexts: [String: JSONValue] {
        var contexts: [String: JSONValue] = ["os": os]
        var names = utsname()
        guard uname(&names) == 0 else { return contexts }
        contexts["kernel"] = [
            "name": text(names.sysname), "release": text(names.release), "version": text(names.version),
        ]
        contexts["host"] = ["name": text(names.nodename)]
        return contexts
    }

    private static var os: JSONValue {
        let files = ["/etc/os-release", "/usr/lib/os-release"]
        guard let bytes = files.lazy.compactMap({ try? BoundedFile.read($0, limit: 16_384) }).first else {
            return .object([:])
        }
        var facts: [String: JSONValue] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let key = osKeys[String(parts[0])] else { continue }
            facts[key] = .string(parts[1].filter { $0 != "\"" && $0 != "'" && $0 != "\\" })
        }
        return .object(facts)
    }

    private static func text<Tuple>(_ tuple: Tuple) -> JSONValue {
        withUnsafeBytes(of: tuple) { .string(String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)) }
    }
}
