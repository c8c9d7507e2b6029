// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// Starts this program again as a worker.
enum ChildLauncher {
    /// What the child has as its descriptor of this number: memory in which it says which file it reads.
    static let activityDescriptor: Int32 = 3

    /// The child has `input` and `output` as its standard streams, this process's standard error, `activity`, and no
    /// other descriptor: all others are closed on exec.
    static func launch(
        arguments: [String], input: Int32, output: Int32, activity: Int32
    ) throws(ServiceError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, activity, activityDescriptor)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A worker that writes too much is to end.
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGXFSZ)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let argv: [UnsafeMutablePointer<CChar>?] = (["vaka-server"] + arguments).map { strdup($0) } + [nil]
        let envp: [UnsafeMutablePointer<CChar>?] = environment().map { strdup($0) } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var child: pid_t = 0
        let error = posix_spawn(&child, "/proc/self/exe", &actions, &attributes, argv, envp)
        guard error == 0 else {
            throw ServiceError("cannot start a worker: \(String(cString: strerror(error)))")
        }
        return child
    }

    /// A worker's death is expected: the runtime's backtracer would only make it slow.
    private static func environment() -> [String] {
        var variables = ProcessInfo.processInfo.environment
        variables["SWIFT_BACKTRACE"] = "enable=no"
        // It reads what strangers sent, and asks nobody for anything.
        return variables.filter { !$0.key.hasPrefix("AWS_") }.map { "\($0.key)=\($0.value)" }
    }
}
