// SPDX-License-Identifier: Apache-2.0
import CLinux
import FoundationEssentials
import Glibc
import VakaModel

/// A child process that parses what others sent. It may die or hang; it is then killed and started anew.
///
/// Used by one thread at a time.
final class WorkerProcess {
    enum Outcome {
        case reply(WorkerReply, body: Data)
        /// The child died or was killed over this job; the text says how.
        case died(String)
    }

    private let arguments: [String]
    private let metrics: Metrics
    private var child: pid_t = 0
    private var channel: FrameChannel?

    init(arguments: [String], metrics: Metrics) {
        self.arguments = arguments
        self.metrics = metrics
    }

    deinit { stop() }

    /// Gives the child a job and waits for its answer, at most for `seconds`.
    func run(_ job: WorkerJob, body: Data = Data(), seconds: Double) throws -> Outcome {
        let head = try ModelCoding.encode(job)
        let channel = try started()
        let deadline = ContinuousClock.now + .seconds(seconds)
        do {
            try channel.send(head: head, body: body, deadline: deadline)
            let (reply, document) = try channel.receive(deadline: deadline)
            return .reply(try ModelCoding.decode(WorkerReply.self, from: reply), body: document)
        } catch {
            metrics.add(.workerDeaths)
            let timedOut = (error as? FrameChannel.Failure) == .timeout
            let end = stop()
            return .died(timedOut ? "it took longer than \(Int(seconds)) s" : end)
        }
    }

    /// Ends the child; how it ended.
    @discardableResult
    func stop() -> String {
        guard let channel else { return "it was not running" }
        self.channel = nil
        close(channel.output)
        close(channel.input)
        var status: Int32 = 0
        // A child that died by itself has its own status; one that hangs is killed.
        if waitpid(child, &status, WNOHANG) == 0 {
            usleep(10_000)
            if waitpid(child, &status, WNOHANG) == 0 {
                kill(child, SIGKILL)
                waitpid(child, &status, 0)
            }
        }
        let signal = status & 0x7f
        return signal != 0 ? "it ended by signal \(signal)" : "it ended with status \(status >> 8 & 0xff)"
    }

    private func started() throws -> FrameChannel {
        if let channel { return channel }
        var toChild: [Int32] = [0, 0]
        var fromChild: [Int32] = [0, 0]
        guard vaka_pipe(&toChild) == 0, vaka_pipe(&fromChild) == 0 else {
            throw ServiceError.system("cannot make pipes for a worker")
        }
        defer {
            close(toChild[0])
            close(fromChild[1])
        }
        do {
            child = try ChildLauncher.launch(arguments: arguments, input: toChild[0], output: fromChild[1])
        } catch {
            close(toChild[1])
            close(fromChild[0])
            throw error
        }
        metrics.add(.workerStarts)
        let channel = FrameChannel(input: fromChild[0], output: toChild[1])
        self.channel = channel
        return channel
    }
}
