// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel
import VakaObservation

/// What is done in a page: when, and what comes of it.
@Suite struct WebViewActionTests: WebViewSuite {
    @Test func theFourLatestSnapshotsAreGood() async throws {
        let bridge = bridge()
        var ids: [String] = []
        for _ in 0..<6 {
            try await post(bridge, [Self.element("e1", ["enabled": .bool(false)])])
            ids.append(try bridge.snapshot().snapshotId)
        }
        #expect(Set(ids).count == 6)
        for id in ids[..<2] { #expect(try await click(bridge, id) == .rejected(.staleSnapshot)) }
        for id in ids[2...] { #expect(try await click(bridge, id) == .rejected(.elementNotActionable)) }
        #expect(try await click(bridge, "s1") == .rejected(.staleSnapshot))
    }

    @Test func missingDisabledHiddenAndAmbiguousElementsAreNotActionable() async throws {
        let bridge = bridge()
        try await post(
            bridge,
            [
                Self.element("off", ["enabled": .bool(false)]), Self.element("gone", ["visible": .bool(false)]),
                Self.element("twin"), Self.element("twin"),
            ])
        let id = try bridge.snapshot().snapshotId
        for element in ["off", "gone", "twin", "nothing"] {
            #expect(try await click(bridge, id, element) == .rejected(.elementNotActionable))
        }
    }

    /// Takes one command as a page does, and answers it.
    private func answer(_ bridge: WebViewBridge, failed: Bool) async throws -> JSONValue {
        let reply = await bridge.receive(try message("poll"), origin: Self.origin)
        guard case .command(let bytes) = reply else { return .null }
        let command = try ModelCoding.decode(JSONValue.self, from: Data(bytes))
        let id = try #require(command["commandId"])
        let result = try message("result", ["commandId": id, "failed": .bool(failed)])
        #expect(await bridge.receive(result, origin: Self.origin) == .taken)
        return command
    }

    @Test(arguments: [false, true])
    func thePageDoesItOrItsScriptFails(failed: Bool) async throws {
        let bridge = bridge()
        try await post(bridge)
        let id = try bridge.snapshot().snapshotId
        let command = Task(executorPreference: ServingExecutor.shared) { try await answer(bridge, failed: failed) }
        let action = try #require(WebAction(.setValue, snapshotId: id, elementId: "e1", text: "hi"))
        let result = try await bridge.perform(action, within: .seconds(30))
        #expect(result == (failed ? .rejected(.javascriptError) : .accepted))
        let told = try await command.value
        #expect(told["kind"] == "setValue" && told["elementId"] == "e1" && told["text"] == "hi")
    }

    @Test func whatNoPageTakesIsNotDoneLater() async throws {
        let bridge = bridge()
        try await post(bridge)
        let id = try bridge.snapshot().snapshotId
        #expect(try await click(bridge, id) == .rejected(.webProcessUnavailable))
        // A page that asks now gets nothing.
        async let poll = bridge.receive(try message("poll"), origin: Self.origin)
        async let later = bridge.receive(try message("poll"), origin: Self.origin)
        let first = await (try poll)
        bridge.detach()
        #expect(first == .taken || first == .gone)
        let second = await (try later)
        #expect(second == .taken || second == .gone)
    }

    @Test func aPageThatDoesNotSayWhatBecameOfItIsABadReply() async throws {
        let bridge = bridge()
        try await post(bridge)
        let id = try bridge.snapshot().snapshotId
        let poll = try message("poll")
        // On threads of its own: those of the pool may be busy with other tests.
        let reply = Task(executorPreference: ServingExecutor.shared) {
            await bridge.receive(poll, origin: Self.origin)
        }
        let action = try #require(WebAction(.click, snapshotId: id, elementId: "e1"))
        await #expect(throws: ObservationFailure.badReply) { try await bridge.perform(action, within: .seconds(2)) }
        guard case .command = await reply.value else { return #expect(Bool(false), "no command was handed out") }
    }

    @Test func aNavigationEndsWhatWasToBeDone() async throws {
        let bridge = bridge()
        try await post(bridge)
        let id = try bridge.snapshot().snapshotId
        let action = try #require(WebAction(.click, snapshotId: id, elementId: "e1"))
        async let result = bridge.perform(action, within: .seconds(30))
        async let reply = bridge.receive(try message("poll"), origin: Self.origin)
        guard case .command = try await reply else { return #expect(Bool(false), "no command was handed out") }
        bridge.didCommitNavigation(to: Self.origin + "/next")
        do {
            _ = try await result
            #expect(Bool(false), "nobody said that it was done")
        } catch {
            #expect(error as? ObservationFailure == .badReply)
        }
    }

    /// There is no word for a script.
    @Test(arguments: [
        #"{"evaluate":{"snapshotId":"s","elementId":"e","text":"alert(1)"}}"#,
        #"{"click":{"snapshotId":"s","elementId":"e","text":"alert(1)"}}"#,
        #"{"scroll":{"snapshotId":"s","elementId":"e"}}"#,
        #"{"setValue":{"snapshotId":"s","elementId":"e"}}"#, #"{"click":{"elementId":"e"}}"#, "{}",
    ])
    func onlyTheBoundedActionsCanBeSaid(text: String) {
        #expect(throws: (any Error).self) { try ModelCoding.decode(WebAction.self, from: Data(text.utf8)) }
    }

    @Test func everyActionIsWrittenAsItIsRead() throws {
        for kind in WebAction.Kind.allCases {
            let text = [.insertText, .select, .setValue].contains(kind) ? "t" : nil
            let delta = kind == .scroll ? ScreenPoint(x: 1, y: 2) : nil
            let action = try #require(WebAction(kind, snapshotId: "s", elementId: "e", text: text, delta: delta))
            #expect(try ModelCoding.decode(WebAction.self, from: ModelCoding.encode(action)) == action)
        }
        #expect(WebAction.Kind.allCases.count == 9)
    }
}
