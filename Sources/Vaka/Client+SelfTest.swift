// SPDX-License-Identifier: Apache-2.0
import CVakaCrash
import CVakaHost
import Delivery
import FoundationEssentials
import Glibc
import HTTPClient

extension Client {
    private typealias Check = Vaka.SelfTest.Check
    /// Less, and the next batches may not fit.
    private static let leastRoom: UInt64 = 16 << 20
    private static let requestBound = Duration.seconds(10)
    private static let caughtSignals: KeyValuePairs = [
        "SIGSEGV": SIGSEGV, "SIGBUS": SIGBUS, "SIGILL": SIGILL, "SIGTRAP": SIGTRAP, "SIGABRT": SIGABRT,
        "SIGFPE": SIGFPE,
        "SIGSYS": SIGSYS,
    ]

    func selfTest() -> [Vaka.SelfTest.Check] {
        [.passed("start", "the SDK runs"), folderCheck] + serviceChecks + [handlerCheck, stackCheck, queueCheck]
    }

    private var folderCheck: Check {
        let path = storage.path
        do {
            try DurableFile.write(Data("self-test\n".utf8), name: "self-test", folder: path)
            try DurableFile.remove(path + "/self-test")
        } catch {
            return .failed(
                "folder", "\(error)", "see that the folder can be written, or name another as storageDirectory")
        }
        var system = statvfs()
        guard statvfs(path, &system) == 0 else { return .passed("folder", "\(path) can be written") }
        let room = UInt64(system.f_bavail) * UInt64(system.f_frsize)
        guard room >= Self.leastRoom else {
            return .failed("folder", "\(path) has \(room >> 10) KiB left", "make room on that file system")
        }
        return .passed("folder", "\(path) can be written and has \(room >> 20) MiB left")
    }

    private var serviceChecks: [Check] {
        let address = options.endpoint.absoluteString
        do {
            let answer = try CurlClient(HostTransport.connection(options)).perform(
                HTTPRequest(
                    url: ServiceEndpoint(url: address).url("/api/v1/sdk-settings"),
                    headers: ["Authorization": "Bearer \(options.key)"], timeout: Self.requestBound))
            return checks(of: answer.status, address)
        } catch {
            let remedy =
                "see that the endpoint is right and reachable from here, by which proxy, with which certificates"
            return [
                .failed("endpoint", "\(error)", remedy),
                .skipped("key", "nobody could be asked"),
            ]
        }
    }

    private func checks(of status: Int, _ address: String) -> [Check] {
        switch status {
        case 200...299:
            [.passed("endpoint", "\(address) answers"), .passed("key", "the service takes it")]
        case 401, 403:
            [
                .passed("endpoint", "\(address) answers"),
                .failed(
                    "key", "the service refuses it (\(status))",
                    "copy the ingest key (vk_…) whole from the project's page"),
            ]
        default:
            [
                .failed("endpoint", "\(address) answers with status \(status)", "see that a Vaka service is behind it"),
                .skipped("key", "nobody could be asked"),
            ]
        }
    }

    private var handlerCheck: Check {
        guard options.crashReporting else { return .skipped("handlers", "crashReporting is off") }
        guard core != nil else {
            return .failed("handlers", "they could not be installed", "standard error has the reason, from the start")
        }
        let names = Self.caughtSignals.filter { vaka_crash_handles($0.value) == 0 }.map(\.key)
        guard names.isEmpty else {
            return .failed(
                "handlers", "\(names.joined(separator: ", ")) went to another handler since the start",
                "start Vaka after what installed it, or see that it calls the handler that was there before")
        }
        return .passed("handlers", "all \(Self.caughtSignals.count) signals of crashes are caught")
    }

    private var stackCheck: Check {
        guard core != nil else { return .skipped("signal stacks", "crashes are not caught") }
        guard options.threadSignalStacks else { return .skipped("signal stacks", "threadSignalStacks is off") }
        guard vaka_host_new_thread_has_signal_stack() == 1 else {
            return .failed(
                "signal stacks", "a new thread has none: an overflow of its stack is not reported",
                "see docs/crash-table.md for what keeps them away: sanitizers, VAKA_NO_THREAD_STACKS, static linking")
        }
        return .passed("signal stacks", "new threads have one")
    }

    private var queueCheck: Check {
        let waiting = waitingBatches
        guard let problem else { return .passed("queue", "\(waiting) batches wait") }
        return .failed("queue", "\(waiting) batches wait: \(problem)", "what the other checks say mostly mends it")
    }
}
