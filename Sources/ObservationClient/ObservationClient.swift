// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
public import VakaModel

/// Observes and drives a program that has registered a bridge, from another process of the same user.
///
/// Every call blocks, at most for its budget, what has to be asked beforehand included; a client may be used from any
/// thread.
public struct ObservationClient: Sendable {
    /// A request's time, where nothing else is said; 2 seconds.
    public static let requestBudget = Duration.seconds(2)
    /// The time of a request with what has to be asked before it; 5 seconds.
    public static let totalBudget = Duration.seconds(5)

    /// The program that is meant; another one that answers is not observed.
    public var program: String?
    let exchange: Exchange

    /// A client of whatever serves there. Nothing is sent yet.
    public init(_ endpoint: ObservationEndpoint, program: String? = nil) {
        exchange = Exchange(endpoint: endpoint)
        self.program = program
    }

    // MARK: Discovery

    /// Whether the program can be observed and driven, and how.
    ///
    /// - Throws: ``BridgeQueryError`` where that is not known: the probe was not answered.
    public func bridgeState() throws(BridgeQueryError) -> BridgeAvailability {
        try health()?.bridge ?? .unavailable(.sdkUnavailable)
    }

    /// The web views that the program has registered; none where nothing answers.
    ///
    /// - Throws: ``BridgeQueryError`` where that is not known.
    public func webViews() throws(BridgeQueryError) -> [WebViewState] {
        try health()?.webViews ?? []
    }

    /// Nil where the program is not there.
    func health(within budget: Duration = requestBudget) throws(BridgeQueryError) -> HealthReading? {
        let reply: Reply
        do throws(ExchangeProblem) {
            reply = try exchange.send("GET", "/health", within: min(budget, Self.requestBudget))
        } catch .unreachable {
            return nil
        } catch {
            throw BridgeQueryError(description: "the probe was not answered: \(error.message)")
        }
        // What answers knows no such route.
        if reply.status == 404 { return HealthReading(Array("{}".utf8)) }
        guard reply.status == 200 else {
            throw BridgeQueryError(description: "the probe was refused: \(Self.say(reply))")
        }
        guard let reading = HealthReading(reply.body) else {
            return HealthReading(Array(#"{"observationBridge":0}"#.utf8))
        }
        if let program, reading.program?.name != program { return nil }
        return reading
    }

    // MARK: The screen

    /// Captures what is on the program's screen.
    public func snapshot(within budget: Duration = requestBudget) throws(ObservationRequestError) -> ObservationSnapshot
    {
        let deadline = ContinuousClock.now + budget
        try requireBridge(until: deadline)
        return try ask("/observation/snapshot", body: Array("{}".utf8), until: deadline)
    }

    /// Has the program do something; a rejection is a result.
    public func perform(
        _ action: ObservationAction, within budget: Duration = requestBudget
    ) throws(ObservationRequestError) -> ObservationActionResult {
        let deadline = ContinuousClock.now + budget
        try requireBridge(until: deadline)
        return try ask("/observation/action", body: try Self.actionBody(action, in: nil), until: deadline)
    }

    /// The same with an action as JSON text; what is none is not sent (`invalid_action`).
    public func perform(
        actionJSON text: String, within budget: Duration = requestBudget
    ) throws(ObservationRequestError) -> ObservationActionResult {
        try perform(try Self.read(ObservationAction.self, text), within: budget)
    }

    // MARK: Web views

    /// The latest snapshot of a web view; nil for the first.
    public func webSnapshot(
        _ webViewId: String? = nil, within budget: Duration = requestBudget
    ) throws(ObservationRequestError) -> WebSnapshotReply {
        let deadline = ContinuousClock.now + budget
        try requireWebView(webViewId, until: deadline)
        let body = try Self.encode(webViewId.map { ["webViewId": $0] } ?? [:])
        return try ask("/webview/snapshot", body: body, until: deadline)
    }

    /// Has a page do something; a rejection is a result.
    public func perform(
        _ action: WebAction, in webViewId: String, within budget: Duration = totalBudget
    ) throws(ObservationRequestError) -> WebActionResult {
        guard !webViewId.isEmpty else { throw ObservationRequestError(.invalidAction, "which web view?") }
        let deadline = ContinuousClock.now + budget
        try requireWebView(webViewId, until: deadline)
        return try ask("/webview/action", body: try Self.actionBody(action, in: webViewId), until: deadline)
    }

    /// The same with an action as JSON text; what is none is not sent (`invalid_action`).
    public func perform(
        webActionJSON text: String, in webViewId: String?, within budget: Duration = totalBudget
    ) throws(ObservationRequestError) -> WebActionResult {
        guard let webViewId else { throw ObservationRequestError(.invalidAction, "an action names its web view") }
        return try perform(try Self.read(WebAction.self, text), in: webViewId, within: budget)
    }
}
