// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing
import VakaModel
import VakaObservation

/// What of a host's tree leaves the process.
@Suite struct SnapshotTests {
    private func document(_ elements: [Element]) async throws -> (ObservationSnapshot, String) {
        let snapshot = await ObservationBridge(ShopHost(elements)).snapshot()
        let text = String(decoding: try ModelCoding.encode(snapshot), as: UTF8.self)
        #expect(try ModelCoding.decode(ObservationSnapshot.self, from: Data(text.utf8)) == snapshot)
        return (snapshot, text)
    }

    @Test func passwordsAreWithheldWithAllThatLiesInThem() async throws {
        let (snapshot, text) = try await document(ShopHost.shop)
        #expect(!text.contains(ShopHost.secret))
        let field = try #require(snapshot.elements.first { $0.id == "password" })
        #expect(field.label == "Password" && field.value == nil && field.withheld == true)
        #expect(field.children?.first?.withheld == true)
    }

    @Test(arguments: [0, 1, 2])
    func whatIsMaskedIsWithheldWithAllThatLiesInIt(way: Int) async throws {
        let inner = Element(
            id: "in", role: .text, label: ShopHost.secret, bounds: ShopHost.at(0), privacy: .unmasked,
            children: [Element(id: "deep", role: .textField, value: ShopHost.secret, bounds: ShopHost.at(0))])
        let masked = Element(
            id: way == 0 ? "card screen-recording-mask" : "card", role: .group, label: ShopHost.secret,
            value: way == 2 ? ShopHost.secret : nil, bounds: ShopHost.at(0), isSecure: way == 2,
            privacy: way == 0 ? .inherited : .masked, children: [inner])
        let (snapshot, text) = try await document([masked])
        #expect(!text.contains(ShopHost.secret))
        #expect(snapshot.elements[0].withheld == true)
    }

    @Test func identitiesTravelAsDecimalStrings() async throws {
        let snapshot = await ObservationBridge(ShopHost(), firstIdentity: 18_446_744_073_709_551_614).snapshot()
        let text = String(decoding: try ModelCoding.encode(snapshot), as: UTF8.self)
        #expect(text.contains(#""captureIdentity":"18446744073709551614""#))
        for wrong in ["7", "\"07\"", "\"-1\"", "\"18446744073709551616\"", "\"0x7\"", "\"\"", "7.0"] {
            let action = #"{"tap":{"observationIdentity":\#(wrong),"elementId":"a"}}"#
            #expect(throws: (any Error).self, "\(wrong)") {
                try ModelCoding.decode(ObservationAction.self, from: Data(action.utf8))
            }
        }
    }

    @Test(arguments: [
        "{}", "[]", "null", "{\"tap\":{}}", "{\"explode\":{}}",
        #"{"tap":{"observationIdentity":"1","elementId":"a"},"scroll":{}}"#,
        #"{"tap":{"observationIdentity":"1","elementId":"a"},"explode":{}}"#,
        #"{"longPress":{"observationIdentity":"1","elementId":"a","durationMs":60001}}"#,
        #"{"longPress":{"observationIdentity":"1","elementId":"a","durationMs":-1}}"#,
        #"{"swipe":{"observationIdentity":"1","start":{"x":1e7,"y":0},"end":{"x":0,"y":0},"durationMs":1}}"#,
        #"{"scroll":{"observationIdentity":"1","elementId":"a","delta":{"x":1}}}"#,
        #"{"insertText":{"observationIdentity":"1","elementId":"a"}}"#,
    ])
    func whatIsNoActionIsRefused(text: String) {
        #expect(throws: (any Error).self) { try ModelCoding.decode(ObservationAction.self, from: Data(text.utf8)) }
    }

    @Test func anActionHasTheShapeOfItsKind() throws {
        let action = ObservationAction.tap(observationIdentity: CaptureIdentity(rawValue: 41), elementId: "submit")
        let text = String(decoding: try ModelCoding.encode(action), as: UTF8.self)
        #expect(text == #"{"tap":{"elementId":"submit","observationIdentity":"41"}}"#)
    }

    @Test func aSnapshotIsBounded() async throws {
        let many = (0..<6000).map { Element(id: "e\($0)", role: .text, bounds: ShopHost.at(0)) }
        let (snapshot, _) = try await document(many)
        #expect(snapshot.elements.count == 5000 && snapshot.truncated == true)

        var deep = Element(id: "leaf", role: .text, bounds: ShopHost.at(0))
        for level in 0..<200 { deep = Element(id: "g\(level)", role: .group, bounds: ShopHost.at(0), children: [deep]) }
        let (nested, text) = try await document([deep])
        #expect(nested.truncated == true && !text.contains("leaf"))

        // Cut between characters, also of several scalars.
        let long = String(repeating: "x", count: 4095) + "👩‍👩‍👧‍👦é"
        let (cut, _) = try await document([Element(id: "t", role: .text, label: long, bounds: ShopHost.at(0))])
        #expect(cut.truncated == true && cut.elements[0].label == String(repeating: "x", count: 4095))
    }

    @Test func boundsAreAlwaysNumbers() {
        func numbers(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> [Double] {
            let bounds = ElementBounds(x: x, y: y, width: width, height: height)
            return [bounds.x, bounds.y, bounds.width, bounds.height]
        }
        #expect(numbers(.nan, .infinity, -5, 5) == [0, 1e6, 0, 0])
        #expect(numbers(3, 4, .nan, -.nan) == [3, 4, 0, 0])
        #expect(numbers(.infinity, -.infinity, -.infinity, .infinity) == [-1e6, -1e6, 2e6, 2e6])
    }

    @Test func edgesStayWhereTheyAre() {
        // A size below 0 reaches the other way.
        #expect(
            ElementBounds(x: 300, y: 7, width: -100, height: -2)
                == ElementBounds(x: 200, y: 5, width: 100, height: 2))
        // What begins far outside still covers what it covers.
        let scrolled = ElementBounds(x: 0, y: -1_500_000, width: 10, height: 3_000_000)
        #expect(scrolled.contains(ScreenPoint(x: 5, y: 900_000)) && scrolled.contains(ScreenPoint(x: 5, y: -900_000)))
        let apart = ElementBounds(x: 0, y: 0, width: 10, height: 10)
        #expect(apart.intersection(ElementBounds(x: 30, y: 0, width: 10, height: 10)) == nil)
        #expect(apart.intersection(scrolled) == apart)
    }
}
