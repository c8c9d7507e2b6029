// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel
import VakaObservation

@testable import VakaRecording

/// What may be told of elements, by themselves and by what they lie in.
@Suite struct MaskingTests {
    private static let box = ElementBounds(x: 0, y: 0, width: 100, height: 100)

    private func read(
        _ elements: [Element], _ privacy: RecordingPrivacy = .none, _ quality: RecordingQuality = .high
    ) -> RecordedScreen {
        ScreenReading.read(ElementTree(bounds: Self.box, elements: elements), privacy: privacy, quality: quality)
    }

    private func element(
        _ role: ElementRole = .text, _ label: String = "label", id: String = "e",
        _ privacy: ElementPrivacy = .inherited,
        _ children: [Element] = []
    ) -> Element {
        Element(
            id: id, role: role, label: label, value: "value", bounds: Self.box, privacy: privacy, children: children)
    }

    @Test func screenRecordingMaskMasksAnElementAndWhatLiesInIt() {
        let screen = read([element(.group, "a", .masked, [element(.text, "b"), element(.text, "c", .unmasked)])])
        #expect(screen.drawings.count == 1)
        #expect(screen.drawings.first?.marks == .masked && screen.drawings.first?.text == nil)
    }

    @Test func screenRecordingUnmaskShowsTextsAndImagesOfAnElementAndWhatLiesInIt() {
        let screen = read(
            [element(.group, "a", .unmasked, [element(.image, "b"), element(.textField, "c")]), element(.text, "d")],
            .all)
        #expect(screen.drawings.map(\.text) == ["a", "b", "value", nil])
    }

    @Test(arguments: [ElementRole.secureTextField, .keyboard, .webView, .video])
    func unmaskNeverUnmasksAlwaysMaskedContent(role: ElementRole) {
        let screen = read([element(role, "secret", .unmasked, [element(.text, "within", .unmasked)])])
        #expect(screen.drawings.map(\.marks) == [.masked] && screen.drawings.map(\.text) == [nil])
    }

    @Test func whatIsScrolledOutIsNotDrawn() {
        func at(_ y: Double, _ id: String, _ privacy: ElementPrivacy = .inherited) -> Element {
            Element(
                id: id, role: .text, label: id, bounds: ElementBounds(x: 0, y: y, width: 50, height: 20),
                privacy: privacy)
        }
        let rows = [at(-30, "above"), at(10, "cut"), at(40, "whole"), at(95, "below"), at(70, "hidden", .masked)]
        let inner = Element(
            id: "inner", role: .scrollArea, bounds: ElementBounds(x: 0, y: 60, width: 50, height: 60),
            children: [at(85, "within both"), at(110, "within one")])
        let area = Element(
            id: "list", role: .scrollArea, bounds: ElementBounds(x: 0, y: 20, width: 50, height: 70),
            children: rows + [inner])
        let screen = read([area, at(95, "beside")])
        #expect(screen.drawings.map(\.text) == [nil, "cut", "whole", nil, nil, "within both", "beside"])
        #expect(screen.drawings[1].y == 20 && screen.drawings[1].height == 10)
        #expect(screen.drawings[3].marks == .masked && screen.drawings[4].height == 30)
        // Where something masked is counts whole, seen or not.
        #expect(screen.masked.count == 1)
    }

    @Test func theDefaultIsNeitherMaskNorUnmask() {
        #expect(element().privacy == .inherited)
        #expect(read([element()]).drawings.first?.text == "label")
        #expect(read([element()], .all).drawings.first?.text == nil)
    }

    @Test func anIdentifierMasksAndUnmasksAndCanHoldOtherText() {
        let masked = read([element(.text, "a", id: "total screen-recording-mask 7")])
        #expect(masked.drawings.first?.marks == .masked)
        let unmasked = read([element(.text, "a", id: "total screen-recording-unmask 7")], .all)
        #expect(unmasked.drawings.first?.text == "a")
        let both = read([element(.text, "a", id: "screen-recording-unmask screen-recording-mask")], .none)
        #expect(both.drawings.first?.marks == .masked)
    }

    @Test func whatIsTypedIsNotTold() {
        let typed = read([element(.textField, "Name", .inherited, [element(.text, "typed")])], .inputs)
        #expect(typed.drawings.map(\.text) == ["Name", nil])
        #expect(typed.drawings.allSatisfy { $0.marks.contains(.withheld) })
    }

    @Test(arguments: [ObservationActionKind.insertText, .clearText, nil])
    func whateverTakesTextIsAnInput(action: ObservationActionKind?) {
        var input = element(action == nil ? .comboBox : .group, "Town", .inherited, [element(.text, "typed")])
        input.actions = action.map { [$0] }
        let screen = read([input], .inputs)
        #expect(screen.drawings.map(\.text) == ["Town", nil])
        #expect(screen.drawings.allSatisfy { $0.marks.contains(.withheld) })
        input.actions = [.tap]
        input.role = .group
        #expect(read([input], .inputs).drawings.map(\.text) == ["Town", "typed"])
    }

    @Test func neitherNamesNorWordsOfTheHostAreRecorded() {
        let screen = read([element(ElementRole(rawValue: "secret-role"), "a", id: "secret-id")])
        #expect(screen.drawings.map(\.kind) == [.group])
    }

    @Test func whatCannotBeSeenIsNotRecorded() {
        let hidden = Element(
            id: "h", role: .group, bounds: Self.box, isVisible: false, children: [element(.text, "within")])
        #expect(read([hidden]).drawings.isEmpty)
    }

    @Test(arguments: [RecordingQuality.low, .medium, .high]) func qualityBoundsAFrame(quality: RecordingQuality) {
        let limits = ScreenLimits(quality)
        let many = (0..<(limits.elements + 10)).map { _ in element(.text, String(repeating: "ä", count: 2000)) }
        let screen = read(many, .none, quality)
        #expect(screen.drawings.count == limits.elements && screen.isTruncated)
        #expect(screen.drawings.allSatisfy { ($0.text?.utf8.count ?? 0) <= limits.text })
        #expect(screen.drawings.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) } <= ScreenLimits.textBytes)
    }

    @Test func aTapOnSomethingMaskedIsWithheldWhateverLiesOverIt() {
        let small = Element(
            id: "m", role: .text, bounds: ElementBounds(x: 10, y: 10, width: 20, height: 20), privacy: .masked)
        let screen = read([small, element(.button, "over")])
        #expect(screen.withholds(TapPlace(x: 15, y: 15)))
        #expect(screen.withholds(TapPlace(x: 30, y: 30)))
        #expect(!screen.withholds(TapPlace(x: 31, y: 15)))
        // What more there was may be masked.
        var truncated = read([element()])
        truncated.isTruncated = true
        #expect(truncated.withholds(TapPlace(x: 90, y: 90)))
    }

    private func masked(_ box: ElementBounds, _ children: [Element] = []) -> Element {
        Element(id: "m", role: .group, bounds: box, privacy: .masked, children: children)
    }

    @Test(arguments: [RecordingQuality.low, .medium, .high])
    func tapsAreWithheldByTheExactPlaceOfWhatIsMasked(quality: RecordingQuality) {
        // On the grid of eight points it is drawn from 0 to 16.
        let screen = read([masked(ElementBounds(x: 3.4, y: 3.4, width: 16.4, height: 16.4))], .none, quality)
        for place in [3, 10, 18, 20] as [Int32] { #expect(screen.withholds(TapPlace(x: place, y: place))) }
        #expect(!screen.withholds(TapPlace(x: 21, y: 10)) && !screen.withholds(TapPlace(x: 10, y: 21)))
    }

    @Test func tapsAreWithheldByWhatLiesInSomethingMasked() {
        let child = Element(id: "c", role: .button, bounds: ElementBounds(x: 60, y: 60, width: 20, height: 20))
        for box in [ElementBounds.zero, ElementBounds(x: 0, y: 0, width: 10, height: 10)] {
            let screen = read([masked(box, [Element(id: "g", role: .group, bounds: .zero, children: [child])])])
            #expect(screen.withholds(TapPlace(x: 70, y: 70)))
            #expect(!screen.withholds(TapPlace(x: 50, y: 50)))
            // Of what lies in it nothing is drawn.
            #expect(screen.drawings.count == (box.isEmpty ? 0 : 1))
        }
    }

    @Test func whereMasksAreNotKnownNoTapIsTold() {
        let many = (0...ScreenLimits.masked).map { _ in element(.text, "a") }
        #expect(read([masked(.zero, many)]).withholds(TapPlace(x: 500, y: 500)))
        let deep = (0...ScreenLimits.depth).reduce(element()) { inner, _ in masked(.zero, [inner]) }
        #expect(read([deep]).withholds(TapPlace(x: 500, y: 500)))
        let tree = ElementTree(bounds: Self.box, elements: [element()])
        let whole = ScreenReading.read(tree, privacy: .none, quality: .high, isMasked: true)
        #expect(whole.withholds(TapPlace(x: 500, y: 500)) && whole.drawings.map(\.text) == [nil])
    }

    // MARK: Any tree

    private static let roles: [ElementRole] = [
        .group, .text, .button, .image, .textField, .list, .secureTextField, .keyboard, .webView, .video,
    ]

    private static func tree(_ random: inout SeededRandom, _ depth: Int, _ number: inout Int) -> Element {
        number += 1
        let name = number
        let privacy: [ElementPrivacy] = [.inherited, .inherited, .inherited, .masked, .unmasked]
        let role = Bool.random(using: &random) ? .group : roles.randomElement(using: &random) ?? .text
        let own = privacy.randomElement(using: &random) ?? .inherited
        let count = depth == 0 ? 0 : Int.random(in: 0...4, using: &random)
        return Element(
            id: "\(name)", role: role, label: "label<\(name)>", value: "value<\(name)>", bounds: box,
            isVisible: Int.random(in: 0..<12, using: &random) > 0,
            isSecure: Int.random(in: 0..<20, using: &random) == 0,
            privacy: own, children: (0..<count).map { _ in tree(&random, depth - 1, &number) })
    }

    /// The rule, said another way: by the whole way from the screen to the element.
    private static func mayTell(_ path: [Element], _ privacy: RecordingPrivacy, value: Bool) -> Bool {
        let never: Set<ElementRole> = [.secureTextField, .keyboard, .webView, .video]
        if path.contains(where: { $0.privacy == .masked || $0.isSecure || never.contains($0.role) || !$0.isVisible }) {
            return false
        }
        if privacy == .none || path.contains(where: { $0.privacy == .unmasked }) { return true }
        guard privacy == .inputs else { return false }
        let typed = value ? path[...] : path.dropLast()
        return !typed.contains { $0.role.isTextEntry }
    }

    private static func paths(_ element: Element, _ above: [Element]) -> [[Element]] {
        let path = above + [element]
        return [path] + element.children.flatMap { paths($0, path) }
    }

    @Test(arguments: 1...60) func masksAreInheritedAndNothingUnmasksThem(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var number = 0
        let tree = Self.tree(&random, 5, &number)
        for privacy in [RecordingPrivacy.all, .inputs, .none] {
            let told = Set(read([tree], privacy).drawings.compactMap(\.text))
            for path in Self.paths(tree, []) {
                guard let element = path.last else { continue }
                let label = Self.mayTell(path, privacy, value: false)
                let value = Self.mayTell(path, privacy, value: true)
                if told.contains(element.label ?? "") { #expect(label) }
                if told.contains(element.value ?? "") { #expect(value) }
                // And what may be told is.
                if label || value { #expect(told.contains(element.label ?? "") || told.contains(element.value ?? "")) }
            }
        }
    }
}
