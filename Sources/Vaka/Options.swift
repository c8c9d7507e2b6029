// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import VakaModel

extension Vaka {
    /// How the SDK works; only the key and the endpoint have no default.
    public struct Options: Sendable {
        /// The project's ingest key, `vk_…`.
        public var key: String
        /// The service's address, `http` or `https`.
        public var endpoint: URL
        /// The program's version, such as `app@1.2.3`. By default the variable `VAKA_RELEASE`, where it is set.
        public var release: String?
        /// By default the variable `VAKA_ENVIRONMENT`, else `production`.
        public var environment: String
        /// Catches crashes. Without it a crash is lost, and so are the breadcrumbs of a run that is killed.
        public var crashReporting: Bool
        /// Reports sessions, and so how many of them end in a crash.
        public var sessionTracking: Bool
        /// How long the program may be out of use (`Vaka.setActive`) before its session ends.
        public var sessionTimeout: Duration
        /// The longest that something waits in memory before it is sent.
        public var flushInterval: Duration
        /// Items that are sent without waiting for the interval; at most that many travel together.
        public var maxBatchSize: Int
        /// Says on standard error what the SDK does.
        public var debug: Bool
        /// False makes `start` and every other call do nothing.
        public var enabled: Bool
        /// Tags of every report.
        public var tags: [String: String]
        /// Where reports wait. By default `$XDG_STATE_HOME/vaka/<program>`, else `~/.local/state/vaka/<program>`, else,
        /// where neither can be written, a folder of the user's own in the temporary folder. Made with mode 0700.
        /// Processes may share it.
        public var storageDirectory: URL?

        /// Sends the memory of the stacks with a crash, which may hold what the program worked on: 64 KiB of the crashed
        /// thread's, 8 KiB of each other's. Without it there are the frames that the handler itself found.
        public var stackMemory = true
        /// Sends up to 256 bytes around each register of the crashed thread that points into memory.
        public var registerMemory = false
        /// Sends of stacks and registers only what is a pointer into code or into the stack, so that no text of the program is in
        /// them, and nothing of `registerMemory`; crashes are unwound all the same. Screen recordings turn it on for the rest
        /// of the process's life. See docs/privacy.md.
        public var memoryPointersOnly = false
        /// Reports hangs of the main thread, or whatever serves `DispatchQueue.main` and the main actor: when it does not come
        /// round to a question for this long, with every thread's stack. Nil does not watch it. A program whose main thread
        /// never serves the main queue is not reported: only what has answered once is watched. See docs/hangs.md, and
        /// `Vaka.watch` for other queues, actors and loops.
        public var hangDetection: Duration?
        /// Gives each new thread of the process an alternate signal stack, so that an overflow of its stack is reported.
        public var threadSignalStacks = true
        /// Gives SIGTERM, SIGINT, SIGHUP, SIGQUIT and SIGPIPE, where the program leaves them their default action, a
        /// handler that notes the signal before that action ends the program. Without it a run that such a signal ended
        /// looks as if it had ended without a word, and an end by SIGKILL is no report.
        public var endSignals = true

        // MARK: Who the user is

        /// Keeps and sends nothing before ``Vaka/setConsent(_:)`` was told `true`, in this launch or an earlier one.
        public var requiresConsent = false

        /// The secret with which e-mail addresses and phone numbers are hashed (``User/isPIIHashed``): the same in every
        /// program of the project, so that a person has one pseudonym there. Nil takes a salt that is derived from the key:
        /// other keys then make other pseudonyms, and who has the key can try which numbers are meant.
        public var pseudonymSalt: String?

        // MARK: What is let go

        /// Sees every event before it is kept, crashes of earlier runs included: gives back what is to be sent, changed or not,
        /// or nil for nothing. What it drops is counted (`before_send`).
        ///
        /// It is called on the thread that reports, with no lock held; for crashes at the next launch on another thread, for
        /// at most five seconds. Where it throws, takes longer then, or ends the process (twice in a row), the event is not
        /// sent, since nobody knows what the hook would have taken out, and that is counted, too (`hook_failed`,
        /// `hook_timeout`, `hook_crashed`). What is reported from within the hook is not sent (`hook_reentered`).
        public var beforeSend: (@Sendable (Event) throws -> Event?)?
        /// Sees every breadcrumb before it is kept; as `beforeSend` for the rest (`before_breadcrumb`).
        public var beforeBreadcrumb: (@Sendable (Breadcrumb) throws -> Breadcrumb?)?
        /// The share of handled errors and messages that is sent, from 0 to 1, chosen at random for each. Each event tells the
        /// rate, so that the number of all can be estimated, and what is left out is counted (`sample_rate`). Crashes, hangs
        /// and the count of a session's errors are never sampled.
        public var errorSampleRate = 1.0
        /// The same for `track` and `screen`.
        public var trackSampleRate = 1.0
        /// The same for sessions: a session is told whole, its end by a crash included, or not at all.
        public var sessionSampleRate = 1.0
        /// Reports `CancellationError` as an error: by default it is none, for cancelling is no failure.
        public var reportsCancellation = false
        /// Keeps the stack of each throw for a while, so that a captured error has the stack of where it was thrown in the
        /// place of where it was captured. Each throw in the process then takes some microseconds more. See docs/sdk.md for
        /// the throws that cannot be seen.
        public var throwStacks = false

        // MARK: Network

        /// Lets the transports that the program registers with `VakaNetwork` be recorded. Nothing is without a registration.
        public var networkCapture = true

        // MARK: Sessions of servers, attachments

        /// What a session is: by default the program's run.
        public var sessionMode = SessionMode.program
        /// Bytes of one attachment; of a longer one the end is sent. At most 8 MiB.
        public var attachmentLimit = 1 << 20

        // MARK: How the service is reached

        /// A proxy, such as `http://proxy.example.com:3128`. By default what the variables `https_proxy`, `http_proxy` and
        /// `no_proxy` say.
        public var proxy: URL?
        /// A PEM file of the authorities that may sign the service's certificate, in the place of the system's.
        public var certificateAuthorities: URL?

        /// The key, the endpoint, and what is said most often; the rest has its defaults, and is set afterwards. Reads the
        /// environment's variables; never fails: what is wrong is said by `start`.
        public init(
            key: String, endpoint: URL, release: String? = nil, environment: String? = nil,
            crashReporting: Bool = true, sessionTracking: Bool = true, sessionTimeout: Duration = .seconds(30),
            flushInterval: Duration = .seconds(10), maxBatchSize: Int = 50, debug: Bool = false, enabled: Bool = true,
            tags: [String: String] = [:], storageDirectory: URL? = nil
        ) {
            let variables = ProcessInfo.processInfo.environment
            self.key = key
            self.endpoint = endpoint
            self.release = release ?? variables["VAKA_RELEASE"]
            self.environment = environment ?? variables["VAKA_ENVIRONMENT"] ?? "production"
            self.crashReporting = crashReporting
            self.sessionTracking = sessionTracking
            self.sessionTimeout = sessionTimeout
            self.flushInterval = flushInterval
            self.maxBatchSize = maxBatchSize
            self.debug = debug
            self.enabled = enabled
            self.tags = tags
            self.storageDirectory = storageDirectory
        }
    }
}
