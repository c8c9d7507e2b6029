// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Starts the program with everything as this process got it, but its environment and its standard error.
struct ChildLaunch {
    var command: [String]
    var environment: [String: String]
    /// The writing end of a pipe; nil leaves standard error as it is.
    var errors: Int32?
    var mask: sigset_t

    func start() throws(SupervisionError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let errors { posix_spawn_file_actions_adddup2(&actions, errors, 2) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = mask
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let argv: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        let envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, command[0], &actions, &attributes, argv, envp)
        guard error == 0 else {
            throw SupervisionError(
                description: "cannot start \(command[0]): \(String(cString: strerror(error)))",
                exitStatus: error == ENOENT ? 127 : 126)
        }
        return child
    }
}
