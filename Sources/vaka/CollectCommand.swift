// SPDX-License-Identifier: Apache-2.0
import CoreCollector
import FoundationEssentials
import Glibc

/// `vaka collect`: a crash record of a core that the kernel pipes in.
enum CollectCommand: Subcommand {
    static let name = "collect"
    static let manual = Manual(
        summary: "make a crash record of a core on standard input, as the kernel's handler of cores",
        usage: "collect --storage DIR [OPTION]… < CORE",
        explanation: """
            Reads a core from standard input and leaves DIR/crashes/<id>.vakacrash, the record that a crash handler would
            have left: of any program of this host or its containers, whether or not it knows of Vaka. The core itself is
            not kept. Memory use does not depend on the core's size: what is worth keeping (stacks, what identifies images
            and what they pointed to last) goes through a file without a name in DIR, some 100 MB at most.

            As the kernel's handler (core(5)), for every program that dumps core:

              echo '|/usr/local/bin/vaka collect --storage /var/lib/vaka --pid %P --time %t --host %h --executable %E' \\
                > /proc/sys/kernel/core_pattern

            The kernel takes 127 bytes at most, and absolute paths only. Be aware that this changes it for all containers
            of the host, and that core files, and whatever handler was there before (systemd-coredump, apport), are no more;
            kernel.core_pattern in a file of /etc/sysctl.d makes it last. The handler runs as the superuser; messages go to
            the kernel's log where it has no standard error. Set kernel.core_pipe_limit to bound how many run at once.

            With --pid, the process as /proc still shows it tells the names of threads, the very files that were mapped, in
            containers too, and VAKA_RELEASE and VAKA_ENVIRONMENT of its environment. Frames are found by the call frame
            information of those files, by build id, in a child process without rights. A program whose own handlers left
            a record gets no second one. Sending is vaka submit's: vaka submit DIR --watch.
            """,
        options: [
            Manual.Option("storage", "DIR", "the storage folder; made with mode 0700 where it is missing"),
            Manual.Option("pid", "N", "the process as this host calls it: %P"),
            Manual.Option("time", "N", "when it crashed, in seconds since 1970: %t"),
            Manual.Option("host", "NAME", "the host's name, or the container's: %h"),
            Manual.Option("executable", "PATH", "the program's path, its slashes as the kernel gives them: %E"),
            Manual.Option("max-bytes", "N", "read no more of the core (256 GiB); what comes after is lost"),
            Manual.Option("max-seconds", "N", "read no longer (120)"),
            Manual.Option("max-records", "N", "leave no record where so many wait in DIR (1000)"),
        ],
        examples: [
            "vaka collect --storage /var/lib/vaka < core && vaka symbolicate /var/lib/vaka/crashes/*.vakacrash",
            "zstd -dc core.zst | vaka collect --storage /tmp/crashes",
        ])

    static func run(_ options: ParsedOptions) throws {
        guard options.arguments.isEmpty else {
            throw UsageError("collect: takes no arguments; the core comes on standard input")
        }
        guard let storage = options.value("storage"), !storage.isEmpty else {
            throw UsageError("collect: --storage is missing")
        }
        guard isatty(0) == 0 else { throw UsageError("collect: a core is expected on standard input") }
        let hasErrors = openMissingStreams()
        umask(0o077)
        let collector = try Collector(try collectorOptions(options, storage))
        switch try collector.collect(from: 0) {
        case .recorded(let path, let program, let remark):
            StandardOutput.write("\(path)\n")
            // Where it ends up in a log, that is the only trace.
            if !hasErrors { Terminal.complain("vaka: \(program) crashed: \(path)\n") }
            if let remark { Terminal.complain("vaka: \(path): \(remark)\n") }
        case .alreadyCollected(let path):
            Terminal.complain("vaka: \(path) is of this core already\n")
        case .alreadyCaught(let record, let place):
            Terminal.complain(
                "vaka: the program's own handlers left record \(record) (\(place)): no second one is made\n")
        }
    }

    /// The kernel gives its handler standard input alone: what is opened next must not become standard output or error.
    /// What is said then goes to the kernel's log. False where there was no standard error.
    private static func openMissingStreams() -> Bool {
        if fcntl(1, F_GETFD) < 0 { _ = open("/dev/null", O_WRONLY) }
        guard fcntl(2, F_GETFD) < 0 else { return true }
        if open("/dev/kmsg", O_WRONLY) < 0 { _ = open("/dev/null", O_WRONLY) }
        return false
    }

    private static func collectorOptions(_ options: ParsedOptions, _ storage: String) throws -> Collector.Options {
        var result = Collector.Options(storage: storage)
        result.processID = try number(options, "pid").flatMap { Int32(exactly: $0) }
        result.time = try number(options, "time") ?? fileTime()
        result.hostName = options.value("host")
        result.executable = options.value("executable").map { $0.hasPrefix("!") ? $0.replacing("!", with: "/") : $0 }
        if let bytes = try number(options, "max-bytes") { result.limits.coreBytes = bytes }
        if let seconds = try number(options, "max-seconds") {
            result.limits.readingTime = .seconds(Int64(clamping: seconds))
        }
        if let records = try number(options, "max-records") { result.limits.records = Int(clamping: records) }
        return result
    }

    private static func number(_ options: ParsedOptions, _ name: String) throws -> UInt64? {
        guard let text = options.value(name) else { return nil }
        guard let number = UInt64(text) else { throw UsageError("collect: --\(name) is a number, not \"\(text)\"") }
        return number
    }

    /// A core that lies in a file was written at the crash.
    private static func fileTime() -> UInt64? {
        var status = stat()
        guard fstat(0, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(max(0, status.st_mtim.tv_sec))
    }
}
