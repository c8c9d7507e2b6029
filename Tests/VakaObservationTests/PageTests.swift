// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import ObservationClient
import TestSupport
import Testing
import VakaModel
import VakaObservation

/// The page's script in a real browser.
@Suite(.serialized) final class PageTests {
    private let shop: ServedShop
    private let folder: TemporaryFolder
    private let browser: ChildProcess
    private let bridge: WebViewBridge
    private let origin: String
    private var steps = ""

    init() throws {
        shop = try ServedShop()
        folder = try TemporaryFolder()
        browser = try ChildProcess(
            BuildProducts.root + "/build/venv/bin/python3",
            [BuildProducts.root + "/Tests/Support/web_view.py", folder.path])
        try browser.waitForOutput("origin ")
        try browser.waitForOutput("\n")
        origin = String(browser.outputSoFar.split(whereSeparator: \.isWhitespace)[1])
        bridge = WebViewBridge(
            webViewId: "shop", policy: WebViewPolicy(allowedOrigins: [origin], redactText: false))
        shop.webViews.register(bridge)
        let script = try #require(bridge.pageScript(server: shop.server))
        try Data(script.utf8).write(to: URL(filePath: folder.path + "/script.new"))
        try FileManager.default.moveItem(atPath: folder.path + "/script.new", toPath: folder.path + "/script.js")
        try page { $0.element("Far away") != nil }
    }

    deinit {
        try? step("stop")
        _ = try? browser.wait(seconds: 20)
    }

    private func step(_ word: String) throws {
        steps += word + "\n"
        try Data(steps.utf8).write(to: URL(filePath: folder.path + "/steps"))
    }

    /// Waits until the page's latest snapshot is as it should be.
    @discardableResult
    private func page(_ condition: (WebSnapshot) -> Bool) throws -> WebSnapshot {
        try eventually(
            seconds: 30,
            saying: { "\((try? bridge.snapshot()).map { "\($0)" } ?? browser.outputSoFar + browser.errorsSoFar)" }
        ) {
            (try? bridge.snapshot()).flatMap { condition($0) ? $0 : nil }
        }
    }

    private func act(
        _ kind: WebAction.Kind, _ label: String, text: String? = nil, delta: ScreenPoint? = nil
    ) throws -> WebActionResult {
        let snapshot = try bridge.snapshot()
        let id = try #require(snapshot.element(label)?.id)
        let action = try #require(
            WebAction(kind, snapshotId: snapshot.snapshotId, elementId: id, text: text, delta: delta))
        return try shop.client.perform(action, in: "shop")
    }

    /// Snapshots are numbered as they are posted.
    private func number(_ snapshot: WebSnapshot) throws -> Int {
        try #require(snapshot.snapshotId.split(separator: "-").last.flatMap { Int($0) })
    }

    private func said(_ text: String) throws {
        try page { $0.elements.contains { $0.role == "p" && $0.label == text } }
    }

    @Test func whatThePageShowsIsTold() throws {
        let snapshot = try page { $0.element("Search")?.value == "shoes" }
        let text = String(decoding: try ModelCoding.encode(snapshot), as: UTF8.self)
        #expect(!text.contains("hunter2"))
        #expect(snapshot.url == origin + "/" && snapshot.origin == origin && snapshot.documentId != nil)
        let search = try #require(snapshot.element("Search"))
        #expect(search.role == "input" && search.inputType == "search" && search.visible && search.enabled)
        for secret in ["Password", "Card"] {
            let element = try #require(snapshot.element(secret))
            #expect(element.value == nil && element.redacted == true)
        }
        #expect(snapshot.element("Editor")?.value == "draft")
        #expect(snapshot.element("Size")?.value == "Small")
        #expect(snapshot.element("Sold out")?.enabled == false)
        #expect(snapshot.element("Invisible")?.visible == false && snapshot.element("Absent")?.visible == false)
        // Off the screen, and rendered.
        let far = try #require(snapshot.element("Far away"))
        #expect(far.visible && far.bounds.y > 2500)
        // Frames have no say.
        #expect(snapshot.element("Framed") == nil)
        #expect(snapshot.viewport?.width == 400 && snapshot.viewport?.x == 0)
        let ids = snapshot.elements.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(!browser.outputSoFar.contains("error"))
    }

    @Test func thePageDoesWhatItIsAskedTo() throws {
        let before = try bridge.snapshot()
        #expect(try act(.click, "Buy").success)
        try said("clicked")
        // The button that came in has a new id, and the others kept theirs.
        let after = try page { $0.elements.count > before.elements.count }
        #expect(after.element("Buy")?.id == before.element("Buy")?.id)
        let fresh = Set(after.elements.map(\.id)).subtracting(before.elements.map(\.id))
        #expect(fresh.count == 1 && !before.elements.contains { fresh.contains($0.id) })

        #expect(try act(.setValue, "Search", text: "red").success)
        try page { $0.element("Search")?.value == "red" }
        #expect(try act(.insertText, "Search", text: "dish").success)
        try page { $0.element("Search")?.value == "reddish" }
        #expect(try act(.submit, "Search").success)
        try said("sent reddish")
        #expect(try act(.clear, "Search").success)
        try page { $0.element("Search")?.value == "" }
        #expect(try act(.focus, "Search").success)
        try page { $0.element("Search")?.focused == true }
        #expect(try act(.select, "Size", text: "Large").success)
        try page { $0.element("Size")?.value == "Large" }
        #expect(try act(.select, "Size", text: "Huge") == .rejected(.javascriptError))
        #expect(try act(.scrollIntoView, "Far away").success)
        try page { ($0.element("Far away")?.bounds.y ?? 9999) < 600 }
        #expect(try act(.scroll, "Far away", delta: ScreenPoint(x: 0, y: 1)).success)
        #expect(try act(.click, "Sold out") == .rejected(.elementNotActionable))
        #expect(try act(.submit, "Buy") == .rejected(.javascriptError))
    }

    /// An element that has left the document since the snapshot is no success with nothing done.
    @Test func anElementThatLeftIsAScriptError() throws {
        let snapshot = try bridge.snapshot()
        let leaver = try #require(snapshot.element("Leave"))
        #expect(try act(.click, "Leave").success)
        try page { $0.element("Leave") == nil }
        let action = try #require(WebAction(.click, snapshotId: snapshot.snapshotId, elementId: leaver.id))
        #expect(try shop.client.perform(action, in: "shop") == .rejected(.javascriptError))
    }

    /// Forms whose controls, and a document whose images, bear the names of what these would say of themselves.
    @Test func namesOfControlsHideNothing() throws {
        let snapshot = try page { $0.element("requestSubmit trap") != nil }
        let form = try #require(snapshot.element("Traps"))
        #expect(form.role == "search" && form.visible && form.enabled && form.value == nil && form.redacted == nil)
        #expect(snapshot.elements.filter { $0.label?.hasSuffix(" trap") == true && $0.role == "input" }.count == 17)
        #expect(snapshot.elements.filter { $0.label?.hasSuffix(" trap") == true && $0.role == "img" }.count == 4)
        #expect(try act(.scrollIntoView, "Traps").success)
        #expect(try act(.focus, "title trap").success)
        try page { $0.element("title trap")?.focused == true }
        #expect(try act(.submit, "Traps").success)
        try said("trapped")
    }

    @Test func geometryFollowsThePage() throws {
        let before = try #require(try bridge.snapshot().element("Buy")?.bounds.y)
        // Sixty frames that scroll are a post in each 100 ms, and what loading still brings.
        let (first, begun) = (try number(bridge.snapshot()), ContinuousClock.now)
        try step("burst")
        let last = try number(page { $0.element("Buy")?.bounds.y == before - 400 })
        let most = Int((ContinuousClock.now - begun) / .milliseconds(100)) + 4
        #expect(last > first && last - first <= most, "\(last - first) posts, \(most) at most")
        try step("scroll")
        try page { $0.element("Buy")?.bounds.y == before - 500 }
        try step("resize")
        try page { $0.viewport?.width == 300 }
        try step("pinch")
        try page { $0.viewport?.width == 150 }
    }

    @Test func everyNavigationIsAnotherDocument() throws {
        let first = try bridge.snapshot()
        try step("reload")
        let second = try page { $0.documentId != first.documentId && $0.element("Far away") != nil }
        let stale = try #require(
            WebAction(.click, snapshotId: first.snapshotId, elementId: first.element("Buy")?.id ?? ""))
        #expect(try shop.client.perform(stale, in: "shop") == .rejected(.staleSnapshot))
        // A click that leaves the page is answered all the same.
        #expect(try act(.click, "Next").success)
        let third = try page { $0.element("Next page") != nil }
        #expect(third.url == origin + "/next" && third.documentId != second.documentId)
        try step("elsewhere")
        try eventually(seconds: 30) {
            do throws(ObservationFailure) {
                _ = try bridge.snapshot()
                return nil as Bool?
            } catch {
                return error == .disallowedOrigin ? true : nil
            }
        }
        #expect(try shop.client.perform(stale, in: "shop") == .rejected(.disallowedOrigin))
        try step("page")
        try page { $0.element("Far away") != nil }
    }
}

extension WebSnapshot {
    /// A field comes after the label that names it.
    fileprivate func element(_ label: String) -> WebElement? { elements.last { $0.label == label } }
}
