// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// What is to go wrong with which exchanges, while a program is being developed. Rules take effect in debug builds only.
public struct FaultRule: Hashable, Sendable {
    /// Names it in records (`fault_id`) and errors (`fault:<id>:<action>`); a later rule of the same id replaces it.
    public var id: String
    /// Which exchanges it means.
    public var match: Match
    /// What it does to them.
    public var fault: Fault
    /// Waits so long before the fault, or before the exchange where the fault is `latency`.
    public var delay: Duration
    /// How many exchanges it meets, all in all; nil for any number. 1 is a rule for one shot.
    public var limit: Int?
    /// How long it lasts from when it is added, by a clock that nobody sets; nil for good.
    public var lifetime: Duration?

    /// A rule for every exchange that `match` means.
    public init(
        id: String, match: Match = Match(), fault: Fault, delay: Duration = .zero, limit: Int? = nil,
        lifetime: Duration? = nil
    ) {
        self.id = id
        self.match = match
        self.fault = fault
        self.delay = delay
        self.limit = limit
        self.lifetime = lifetime
    }

    /// Which exchanges are meant; nil means any.
    public struct Match: Hashable, Sendable {
        /// Over this family only.
        public var transport: HostTransport?
        /// In any case.
        public var method: String?
        /// In any case; `*.example.com` means every host below it.
        public var host: String?
        /// The path begins so.
        public var pathPrefix: String?
        /// Of frames only.
        public var direction: NetworkDirection?

        /// Every exchange; narrow it by what is given.
        public init(
            transport: HostTransport? = nil, method: String? = nil, host: String? = nil, pathPrefix: String? = nil,
            direction: NetworkDirection? = nil
        ) {
            self.transport = transport
            self.method = method
            self.host = host
            self.pathPrefix = pathPrefix
            self.direction = direction
        }
    }

    /// What goes wrong.
    public enum Fault: Hashable, Sendable {
        /// Only the delay.
        case latency
        /// An error of the transport.
        case error(ErrorType)
        /// The connection is closed.
        case closeConnection
        /// An answer with this status and no body, without the server.
        case status(Int)
        /// This answer, without the server.
        case response(status: Int, headers: [String: String], body: [UInt8])
        /// This body as the answer, but for its last bytes, without the server; `Content-Length` tells the whole.
        case dropBytes(Int, of: [UInt8])

        /// As descriptors and records name it.
        public var action: FaultAction {
            switch self {
            case .latency: .latency
            case .error: .error
            case .closeConnection: .closeConnection
            case .status: .status
            case .response: .response
            case .dropBytes: .dropBytes
            }
        }
    }

    /// Which error it is.
    public enum ErrorType: String, Hashable, Sendable {
        /// The other side broke the connection off.
        case connectionReset
        /// Nothing came for too long.
        case timeout
        /// There is no way to the host.
        case hostUnreachable
        /// Nobody listens there.
        case connectionRefused
    }
}
