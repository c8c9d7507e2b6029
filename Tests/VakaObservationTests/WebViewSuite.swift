// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel
import VakaObservation

/// What suites of web views' bridges have in common: a page whose words the test says.
protocol WebViewSuite {}

extension WebViewSuite {
    static var origin: String { "https://shop.example" }

    func bridge(
        redactText: Bool = false, maxElements: Int = 500, maxMessageBytes: Int = 256 << 10
    ) -> WebViewBridge {
        WebViewBridge(
            webViewId: "basket",
            policy: WebViewPolicy(
                allowedOrigins: [Self.origin], maxElements: maxElements, redactText: redactText,
                maxMessageBytes: maxMessageBytes))
    }

    static func element(_ id: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
        var element: [String: JSONValue] = [
            "id": .string(id), "role": "button", "label": .string("label of \(id)"), "enabled": .bool(true),
            "visible": .bool(true), "bounds": ["x": 1, "y": 2, "width": 3, "height": 4],
        ]
        element.merge(more) { $1 }
        return .object(element)
    }

    func message(
        _ kind: String, document: String = "d1", url: String = origin + "/cart?token=s3cret#frag",
        _ more: [String: JSONValue] = [:]
    ) throws -> [UInt8] {
        var message: [String: JSONValue] = [
            "kind": .string(kind), "documentId": .string(document), "mainFrame": .bool(true), "url": .string(url),
        ]
        message.merge(more) { $1 }
        return Array(try ModelCoding.encode(JSONValue.object(message)))
    }

    @discardableResult
    func post(
        _ bridge: WebViewBridge, document: String = "d1", _ elements: [JSONValue] = [element("e1")]
    ) async throws -> PageReply {
        await bridge.receive(
            try message("snapshot", document: document, ["elements": .array(elements)]), origin: Self.origin)
    }

    func click(_ bridge: WebViewBridge, _ snapshot: String, _ element: String = "e1") async throws
        -> WebActionResult
    {
        let action = try #require(WebAction(.click, snapshotId: snapshot, elementId: element))
        return try await bridge.perform(action, within: .milliseconds(300))
    }
}
