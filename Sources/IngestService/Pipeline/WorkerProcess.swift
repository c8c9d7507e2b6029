// SPDX-License-Identifier: Apache-2.0
import CLinux
import DebugImages
import FoundationEssentials
import Glibc
import VakaModel

/// A child process that parses what others sent. It may die or hang; it is then killed and started anew.
///
/// Used by one thread at a time.
final class WorkerProcess {
    enum Outcome {
        case reply(WorkerReply, body: Data)
        /// The child died or was killed over this job.
        case died(WorkerDeath)
    }

    private let arguments: [String]
    private let metrics: Metrics
    private let limits: ServiceLimits
    private var child: pid_t = 0
    private var channel: FrameChannel?
    /// Where the child says which file it is reading.
    private var activity: ImageActivity?

    init(arguments: [String], metrics: Metrics, limits: ServiceLimits) {
        self.arguments = arguments
        self.metrics = metrics
        self.limits = limits
    }

    deinit { stop() }

    /// Gives the child a job and waits for its answer, at most for `seconds`.
    func run(_ job: WorkerJob, body: Data = Data(), seconds: Double) throws -> Outcome {
        let head = try ModelCoding.write(job)
        let channel = try started()
        let deadline = ContinuousClock.now + .seconds(seconds)
        do {
            try channel.send(head: head, body: body, deadline: deadline)
            let (reply, document) = try channel.receive(deadline: deadline, limit: limits.workerAnswerBytes)
            return .reply(try ModelCoding.read(WorkerReply.self, from: reply), body: document)
        } catch {
            metrics.add(.workerDeaths)
            let image = activity?.current
            let end = stop()
            let reason =
                switch error as? FrameChannel.Failure {
                case .timeout: "it took longer than \(Int(seconds)) s"
                case .tooLarge: "it gave more than \(limits.workerAnswerBytes) bytes"
                default: end
                }
            return .died(WorkerDeath(reason: reason, image: image))
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
        var usage = rusage()
        // A child that died by itself has its own status; one that hangs is killed.
        if wait4(child, &status, WNOHANG, &usage) == 0 {
            usleep(10_000)
            if wait4(child, &status, WNOHANG, &usage) == 0 {
                kill(child, SIGKILL)
                wait4(child, &status, 0, &usage)
            }
        }
        return WorkerDeath.reason(status: status, usage: usage, limits: limits)
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
        let memory = vaka_memory_file()
        defer { close(memory) }
        do {
            guard memory >= 0, ftruncate(memory, ImageActivity.size) == 0 else {
                throw ServiceError.system("cannot make memory for a worker")
            }
            activity = ImageActivity(descriptor: memory)
            child = try ChildLauncher.launch(
                arguments: arguments, input: toChild[0], output: fromChild[1], activity: memory)
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
