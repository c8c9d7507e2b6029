// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The shared library that leaves a record when a program crashes, and the environment that loads it.
package enum CaptureLibrary {
    private static let name = "libvakacrash.so"

    /// Beside an executable, this one where none is named, or in `../lib` of it; nil where it is not.
    package static func installed(executable: String? = nil) -> String? {
        guard let own = executable ?? ownExecutable() else { return nil }
        let folder = own.split(separator: "/").dropLast().map(String.init)
        let above = folder.dropLast()
        return [above + ["lib", name], folder + [name]].map { "/" + $0.joined(separator: "/") }.first(where: isUsable)
    }

    private static func ownExecutable() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { return nil }
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether it can be read, and its path stand in LD_PRELOAD, where spaces and colons divide.
    package static func isUsable(_ path: String) -> Bool {
        !path.contains(" ") && !path.contains(":") && access(path, R_OK) == 0
    }

    /// `environment` with the library before what is preloaded already.
    package static func preloading(
        _ library: String, storage: String, in environment: [String: String]
    ) -> [String: String] {
        var result = environment
        let others = (environment["LD_PRELOAD"] ?? "").split { $0 == ":" || $0 == " " }.map(String.init)
        result["LD_PRELOAD"] = ([library] + others.filter { $0 != library }).joined(separator: ":")
        result["VAKA_STORAGE"] = storage
        return result
    }
}
