// SPDX-License-Identifier: Apache-2.0
import CLinux
import CrashRecord
import DebugImages
import FoundationEssentials
import Glibc

/// Does work that reads strangers' files in a child process with limits, so that a crafted file ends the child and not
/// the command. The child is forked: it goes on with what was read so far, and inherits the standard streams.
struct LimitedChild {
    /// The child's end over a file.
    struct Death: Error, CustomStringConvertible {
        /// What was exceeded, or how it ended.
        var reason: String
        /// The file that was being read; nil when it was none.
        var path: String?

        var description: String { path.map { "\($0): \(advice)" } ?? advice }

        var advice: String {
            "reading was given up: \(reason); where you trust the file, raise VAKA_READ_SECONDS or VAKA_READ_MEMORY "
                + "(MiB), or set either to 0"
        }
    }

    /// In the child, the limits it is under; nil without any.
    let limits: ReadingLimits?
    /// To be told of each file before it is read.
    let activity: ImageActivity?

    private static let longestAnswer = 1 << 30

    /// What `work` gave, whichever process did it. Throws what it threw, as far as the command tells errors apart, or a
    /// `Death`.
    static func run(_ work: (LimitedChild) throws -> Data) throws -> Data {
        guard let limits = try ReadingLimits.fromEnvironment(),
            let activity = ImageActivity(onChange: { limits.grant(for: $0) })
        else { return try work(LimitedChild(limits: nil, activity: nil)) }
        var ends: [Int32] = [0, 0]
        fflush(nil)
        guard vaka_pipe(&ends) == 0 else {
            throw CommandError("cannot make a pipe: \(String(cString: strerror(errno)))")
        }
        let child = vaka_fork()
        guard child >= 0 else {
            throw CommandError("cannot start a process: \(String(cString: strerror(errno)))")
        }
        if child == 0 {
            close(ends[0])
            limits.begin()
            Self.work(in: LimitedChild(limits: limits, activity: activity), answerTo: ends[1], work)
        }
        close(ends[1])
        return try answer(of: child, from: ends[0], activity, limits)
    }

    /// Told when the work got on, however long it takes as a whole.
    func goesOn() { limits?.renewTime() }

    // MARK: The child

    private enum Kind: UInt8 {
        case value, usage, partial, command
    }

    private static func work(
        in child: LimitedChild, answerTo pipe: Int32, _ work: (LimitedChild) throws -> Data
    ) -> Never {
        _ = vaka_die_with_parent()
        // The runtime would tell of the child's end in its own way.
        Terminal.silenceOthers()
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT] { signal(number, SIG_DFL) }
        var (kind, data): (Kind, Data)
        do {
            (kind, data) = (.value, try work(child))
            try StandardOutput.flush()
        } catch let error as UsageError {
            (kind, data) = (.usage, Data(error.message.utf8))
        } catch let error as PartialFailure {
            (kind, data) = (.partial, Data(error.message.utf8))
        } catch {
            (kind, data) = (.command, Data("\(error)".utf8))
        }
        fflush(nil)
        write([kind.rawValue] + data, to: pipe)
        _exit(0)
    }

    private static func write(_ bytes: [UInt8], to pipe: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(pipe, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    // MARK: The parent

    private static func answer(
        of child: pid_t, from pipe: Int32, _ activity: ImageActivity, _ limits: ReadingLimits
    ) throws -> Data {
        let bytes = try? BoundedFile.read(descriptor: pipe, limit: longestAnswer)
        close(pipe)
        var status: Int32 = 0
        var usage = rusage()
        while wait4(child, &status, 0, &usage) < 0, errno == EINTR {}
        guard status == 0, let bytes, bytes.count <= longestAnswer, let kind = bytes.first.flatMap(Kind.init) else {
            throw Death(reason: reason(status, usage, limits, bytes), path: activity.current)
        }
        let data = Data(bytes.dropFirst())
        switch kind {
        case .value: return data
        case .usage: throw UsageError(String(decoding: data, as: UTF8.self))
        case .partial: throw PartialFailure(message: String(decoding: data, as: UTF8.self))
        case .command: throw CommandError(String(decoding: data, as: UTF8.self))
        }
    }

    private static func reason(_ status: Int32, _ usage: rusage, _ limits: ReadingLimits, _ bytes: [UInt8]?) -> String {
        let signal = status & 0x7f
        if signal == 0 {
            return (bytes?.count ?? 0) > longestAnswer
                ? "it gave more than \(longestAnswer) bytes" : "it gave no answer"
        }
        if signal == SIGXCPU { return "it took more processor time than it may (\(limits.time))" }
        let used = usage.ru_maxrss >> 10
        // A request for too much memory ends the child before it is in use.
        return signal == SIGKILL
            ? "it ended by signal \(signal)"
            : "it ended by signal \(signal), with \(used) MiB of memory in use; it may have \(limits.memory)"
    }
}
