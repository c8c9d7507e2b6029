// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Delivery
import Glibc
import VakaModel

/// The `contexts` of events that are no crash: the same facts that the core put into the run file.
enum HostFacts {
    static func contexts(core: CrashCore?, folder: StorageFolder) -> [String: JSONValue] {
        let path = core.map { "\(folder.runs)/\($0.runID).vakarun" }
        var contexts = path.flatMap { try? RunFile(contentsOf: $0).context.contexts } ?? [:]
        for name in ["os", "kernel", "libc", "host", "container", "process"] where contexts[name] == nil {
            contexts[name] = .object([:])
        }
        var process = contexts["process"]?.object ?? [:]
        process["pid"] = .integer(Int64(getpid()))
        process["name"] = process["name"] ?? .string(StorageChoice.application)
        contexts["process"] = .object(process)
        return contexts
    }

    /// As events name it.
    static var architecture: String? {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            nil
        #endif
    }
}
