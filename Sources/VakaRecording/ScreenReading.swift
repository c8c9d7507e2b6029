// SPDX-License-Identifier: Apache-2.0
package import VakaModel
package import VakaObservation

/// Makes drawings of a host's elements, as far as privacy and quality go.
package struct ScreenReading {
    /// What elements have from those that they lie in.
    private struct Surroundings {
        var isUnmasked = false
        /// Within something that is typed into: a toolkit may have the text as an element of its own there.
        var isInput = false
        var isEnabled = true
        var depth = 0
        /// What the areas that scroll let be seen; nil: all.
        var opening: ElementBounds?

        /// The part of an element that can be seen: of one that is scrolled out nothing.
        func seen(_ bounds: ElementBounds) -> ElementBounds {
            guard let opening else { return bounds }
            return bounds.intersection(opening) ?? .zero
        }
    }

    private let limits: ScreenLimits
    private let privacy: RecordingPrivacy
    private let origin: ElementBounds
    private var screen: RecordedScreen
    private var textBytes = 0

    /// The screen as it may be recorded. A screen that is masked as a whole has one element.
    package static func read(
        _ tree: ElementTree, privacy: RecordingPrivacy, quality: RecordingQuality, isMasked: Bool = false
    ) -> RecordedScreen {
        var reading = ScreenReading(tree, privacy, ScreenLimits(quality))
        if isMasked {
            reading.draw(.window, tree.bounds, .masked, nil)
            reading.screen.isMaskUnknown = true
        } else {
            for element in tree.elements { reading.read(element, Surroundings()) }
        }
        return reading.screen
    }

    private init(_ tree: ElementTree, _ privacy: RecordingPrivacy, _ limits: ScreenLimits) {
        self.limits = limits
        self.privacy = privacy
        origin = tree.bounds
        screen = RecordedScreen(width: Self.size(tree.bounds.width), height: Self.size(tree.bounds.height))
        screen.drawings.reserveCapacity(min(limits.elements, 1024))
    }

    private mutating func read(_ element: Element, _ surroundings: Surroundings) {
        guard element.isVisible else { return }
        guard screen.drawings.count < limits.elements, surroundings.depth < ScreenLimits.depth else {
            screen.isTruncated = true
            return
        }
        let own = element.ownPrivacy
        if own == .masked || Self.isAlwaysMasked(element) {
            cover(element, surroundings.depth)
            return draw(element.role, surroundings.seen(element.bounds), .masked, nil)
        }
        var inner = surroundings
        inner.depth += 1
        inner.isUnmasked = surroundings.isUnmasked || own == .unmasked
        inner.isInput = surroundings.isInput || Self.isInput(element)
        inner.isEnabled = surroundings.isEnabled && element.isEnabled

        let seen = surroundings.seen(element.bounds)
        if element.role == .scrollArea { inner.opening = seen }
        if !seen.isEmpty {
            var marks: RecordingDrawing.Marks = element.isFocused ? .focused : []
            if !inner.isEnabled { marks.insert(.disabled) }
            let text = text(of: element, inner, surroundings, &marks)
            draw(element.role, seen, marks, text)
        }
        for child in element.children { read(child, inner) }
    }

    /// Notes where a masked element is, and what lies in it: that may reach beyond it.
    private mutating func cover(_ element: Element, _ depth: Int) {
        guard element.isVisible else { return }
        guard screen.masked.count < ScreenLimits.masked, depth < ScreenLimits.depth,
            let place = MaskedPlace(element.bounds, from: origin)
        else {
            screen.isMaskUnknown = true
            return
        }
        if !element.bounds.isEmpty { screen.masked.append(place) }
        for child in element.children where !screen.isMaskUnknown { cover(child, depth + 1) }
    }

    /// What is typed into, by its role or by what it lets be done with it.
    private static func isInput(_ element: Element) -> Bool {
        element.role.isTextEntry || element.role == .comboBox
            || !(element.actions?.isDisjoint(with: [.insertText, .clearText]) ?? true)
    }

    /// Secrets by what they are, what shows keys that are typed, and what is drawn by others.
    private static func isAlwaysMasked(_ element: Element) -> Bool {
        if element.holdsSecret { return true }
        return switch element.role {
        case .keyboard, .webView, .video: true
        default: false
        }
    }

    /// What may be told of what an element says and holds.
    private mutating func text(
        of element: Element, _ inner: Surroundings, _ outer: Surroundings, _ marks: inout RecordingDrawing.Marks
    ) -> String? {
        guard element.label != nil || element.value != nil else { return nil }
        let tellsAll = inner.isUnmasked || privacy == .none
        let label = tellsAll || (privacy == .inputs && !outer.isInput) ? element.label : nil
        let value = tellsAll || (privacy == .inputs && !inner.isInput) ? element.value : nil
        if label != element.label || value != element.value { marks.insert(.withheld) }
        let told = (element.role.isTextEntry ? value ?? label : label ?? value) ?? ""
        guard !told.isEmpty else { return nil }
        let text = limits.cut(told)
        guard textBytes + text.utf8.count <= ScreenLimits.textBytes else {
            marks.insert(.withheld)
            return nil
        }
        textBytes += text.utf8.count
        return text
    }

    private mutating func draw(
        _ role: ElementRole, _ bounds: ElementBounds, _ marks: RecordingDrawing.Marks, _ text: String?
    ) {
        guard !bounds.isEmpty else { return }
        let grid = limits.grid
        screen.drawings.append(
            RecordingDrawing(
                kind: RecordingDrawing.kinds.contains(role) ? role : .group,
                x: Self.place(bounds.x - origin.x, grid), y: Self.place(bounds.y - origin.y, grid),
                width: max(1, Self.place(bounds.width, grid)), height: max(1, Self.place(bounds.height, grid)),
                marks: marks, text: text))
    }

    static func place(_ value: Double, _ grid: Double) -> Int32 {
        let limit = Double(RecordingLimits.extent)
        let rounded = (value / grid).rounded() * grid
        return rounded.isNaN ? 0 : Int32(min(limit, max(-limit, rounded)))
    }

    private static func size(_ value: Double) -> Int32 { max(0, place(value, 1)) }
}
