// SPDX-License-Identifier: Apache-2.0

/// What a program says at `/health`.
public struct ObservationHealth: Codable, Hashable, Sendable {
    /// Which program and process answers.
    public struct Program: Codable, Hashable, Sendable {
        public var name: String
        public var pid: Int32

        /// A process.
        public init(name: String, pid: Int32) {
            self.name = name
            self.pid = pid
        }
    }

    public var program: Program
    public var observationBridge: ObservationBridgeState
    public var webViewBridge: WebViewBridgeState

    /// What the registries hold.
    public init(
        program: Program, observationBridge: ObservationBridgeState, webViewBridge: WebViewBridgeState
    ) {
        self.program = program
        self.observationBridge = observationBridge
        self.webViewBridge = webViewBridge
    }
}
