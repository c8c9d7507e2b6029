// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import ObservationClient
import VakaModel
import VakaObservation

/// A served program and what drives its screen from outside, side by side.
struct DriverSetup {
    let shop: ServedShop
    let fallback: RecordingFallback
    let driver: ScreenDriver

    static let screen = ElementBounds(x: 0, y: 0, width: 400, height: 800)

    init(
        _ host: ShopHost = ShopHost(), actions: [ObservationActionKind]? = ObservationActionKind.allCases,
        fallback nodes: [ScreenNode] = [], inApplication: [ScreenNode] = []
    ) throws {
        shop = try ServedShop(host, actions: actions)
        let application = ScreenNode(
            bounds: Self.screen, role: .window, isApplication: true, children: inApplication)
        fallback = RecordingFallback(ScreenNode(bounds: Self.screen, role: .group, children: nodes + [application]))
        driver = ScreenDriver(client: shop.client, fallback: fallback, pause: { _ in })
    }

    func node(_ id: String) throws -> ScreenNode? { ScreenSelector(elementId: id).find(in: try driver.observe().root) }

    /// Why something was not done.
    func reason(_ work: () throws(DriverError) -> Void) -> String? {
        do throws(DriverError) {
            try work()
            return nil
        } catch {
            return error.reason
        }
    }
}

/// A web view's page whose words the test says, without a browser.
struct SaidPage {
    let bridge: WebViewBridge
    let origin = "https://shop.example"
    var documentId = "d1"

    init(_ shop: ServedShop, webViewId: String = "basket", redactText: Bool = false) {
        bridge = WebViewBridge(
            webViewId: webViewId, policy: WebViewPolicy(allowedOrigins: [origin], redactText: redactText))
        shop.webViews.register(bridge)
    }

    static func element(
        _ id: String, role: String = "button", label: String? = nil, value: String? = nil, inputType: String? = nil,
        y: Double = 0, height: Double = 20, x: Double = 0, width: Double = 100, enabled: Bool = true,
        visible: Bool = true, focused: Bool = false, redacted: Bool = false
    ) -> WebElement {
        WebElement(
            id: id, role: role, inputType: inputType, label: label, value: value, redacted: redacted,
            bounds: ElementBounds(x: x, y: y, width: width, height: height), enabled: enabled, visible: visible,
            focused: focused)
    }

    private func message(_ kind: String, _ more: [String: JSONValue]) throws -> [UInt8] {
        var parts: [String: JSONValue] = [
            "kind": .string(kind), "documentId": .string(documentId), "mainFrame": .bool(true),
            "url": .string(origin + "/"),
        ]
        parts.merge(more) { $1 }
        return Array(try ModelCoding.encode(JSONValue.object(parts)))
    }

    func post(_ elements: [WebElement], viewport: WebViewport? = nil) async throws {
        let value = try ModelCoding.decode(JSONValue.self, from: ModelCoding.encode(elements))
        var more: [String: JSONValue] = ["elements": value]
        if let viewport {
            more["viewport"] = try ModelCoding.decode(JSONValue.self, from: ModelCoding.encode(viewport))
        }
        _ = await bridge.receive(try message("snapshot", more), origin: origin)
    }

    /// Takes commands until the web view is gone, and says what it was told.
    func obey(_ told: @escaping @Sendable (String) async throws -> Bool) -> Task<Void, any Error> {
        let page = self
        return Task(executorPreference: ServingExecutor.shared) {
            while true {
                let reply = await page.bridge.receive(try page.message("poll", [:]), origin: page.origin)
                if reply == .gone { return }
                guard case .command(let bytes) = reply else { continue }
                let command = try ModelCoding.decode(JSONValue.self, from: Data(bytes))
                let words = ["kind", "elementId", "text"].compactMap { command[$0]?.string }
                let isDone = try await told(words.joined(separator: " "))
                let result: [String: JSONValue] = ["commandId": command["commandId"] ?? 0, "failed": .bool(!isDone)]
                _ = await page.bridge.receive(try page.message("result", result), origin: page.origin)
            }
        }
    }
}
