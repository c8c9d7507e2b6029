// SPDX-License-Identifier: Apache-2.0
import CDoctor
import Glibc

/// What the children are started with.
package struct DoctorSetup: Sendable {
    /// This program, which crashes as its own child.
    let executable: String
    /// The shared library; nil where there is none.
    let library: String?
    /// The storage folder that crashes are to be kept in; nil where none was named.
    let storage: String?
    let environment: [String: String]
    let cgroupRoot: String

    /// Nil where this program cannot be found, to be started again.
    package init?(
        library: String?, storage: String?, environment: [String: String], cgroupRoot: String = "/sys/fs/cgroup"
    ) {
        guard let executable = Self.ownExecutable() else { return nil }
        self.executable = executable
        self.library = library
        self.storage = storage
        self.environment = environment
        self.cgroupRoot = cgroupRoot
    }

    /// Also without /proc, by what the kernel passed on when it started the program.
    package static func ownExecutable() -> String? {
        let candidates = ["/proc/self/exe"] + (vaka_doctor_started_as().map { [String(cString: $0)] } ?? [])
        for candidate in candidates {
            guard let path = realpath(candidate, nil) else { continue }
            defer { free(path) }
            if access(path, X_OK) == 0 { return String(cString: path) }
        }
        return nil
    }
}
