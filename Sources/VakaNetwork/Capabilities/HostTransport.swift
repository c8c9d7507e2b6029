// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// A family of transports, in the order in which their descriptors are listed.
public enum HostTransport: String, CaseIterable, Hashable, Sendable {
    /// Sessions whose configuration was registered: data, upload and download tasks.
    case urlSession = "network.transport.urlsession"
    /// Sessions that go on when the program has ended. There are none on Linux.
    case urlSessionBackground = "network.transport.urlsession.background"
    /// Sessions whose delegate forwards its callbacks.
    case urlSessionDelegate = "network.transport.urlsession.delegate"
    /// WebSocket connections, of any client.
    case webSocket = "network.transport.websocket"
    /// Connections of the Network framework, which Linux does not have.
    case nwConnection = "network.transport.nwconnection"
    /// POSIX sockets.
    case socket = "network.transport.socket"
    /// Whatever else: `NetworkCapture.recordRequest` tells of it.
    case other = "network.transport.other"

    /// Whether there is something to register.
    public var hasAdapter: Bool {
        switch self {
        case .urlSession, .urlSessionDelegate, .webSocket, .socket: true
        case .urlSessionBackground, .nwConnection, .other: false
        }
    }

    /// Who applies a fault rule that matched, while the transport is captured and rules exist.
    public var faultEnforcement: FaultEnforcement {
        switch self {
        case .urlSession, .webSocket, .socket: .enforced
        case .urlSessionDelegate: .evaluateOnly
        case .urlSessionBackground, .nwConnection, .other: .none
        }
    }

    /// The actions that are applied; any other is recorded only.
    public var faultActions: [FaultAction] {
        switch self {
        case .urlSession: [.latency, .error, .closeConnection, .status, .response, .dropBytes]
        case .webSocket, .socket: [.latency, .error, .closeConnection]
        case .urlSessionDelegate, .urlSessionBackground, .nwConnection, .other: []
        }
    }
}
