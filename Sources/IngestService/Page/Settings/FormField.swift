// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// A field of a form: how it looks, and what it says in the JSON that the API takes.
struct FormField {
    enum Kind {
        case text
        case password
        /// Absent where nothing was written.
        case number
        /// One of some words; the first is chosen where nothing else is.
        case choice([(value: String, words: String)])
        /// Any of some words.
        case boxes([(value: String, words: String)])
        /// A text in each line.
        case lines
        /// As it was written.
        case area
        case hidden
    }

    var name: String
    var label: String
    var kind: Kind = .text
    /// What it holds before anybody writes; of boxes and lines, one a line.
    var value = ""
    var hint: String?
    var placeholder: String?
    var isRequired = false

    /// What is written; of boxes, one a line.
    func value(in form: [String: String]) -> String {
        guard case .boxes(let choices) = kind else { return form[name] ?? "" }
        return choices.map(\.value).filter { form[box($0)] != nil }.joined(separator: "\n")
    }

    /// Nil where nothing was written.
    func json(in form: [String: String]) -> JSONValue? {
        let text = value(in: form)
        switch kind {
        case .text, .password, .choice, .area, .hidden:
            return text.isEmpty ? nil : .string(text)
        case .number:
            // What is no number is refused by who is told what it should be.
            return text.isEmpty ? nil : Int64(text).map { .integer($0) } ?? .string(text)
        case .boxes, .lines:
            return .array(Self.lines(text).map { .string($0) })
        }
    }

    static func lines(_ text: String) -> [String] {
        text.split { $0.isNewline }.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }

    private func box(_ value: String) -> String { name + "." + value }
}

extension FormField {
    /// - Parameters:
    ///   - form: the form's own name, for there may be several on a page.
    ///   - isWrong: it is what the problem above the form is about.
    func content(of form: String, value: String, isWrong: Bool) -> HTML {
        let id = form + "-" + name
        if case .hidden = kind { return Field.hidden(name, value) }
        if case .boxes(let choices) = kind { return boxes(choices, chosen: Set(Self.lines(value)), id: id) }
        return tag(
            "div", [.className("field")], tag("label", [HTML.Attribute("for", id)], .text(label)),
            control(id, value, isWrong), hint.map { Self.hint(id, $0) } ?? .nothing)
    }

    private func control(_ id: String, _ value: String, _ isWrong: Bool) -> HTML {
        var attributes = [HTML.Attribute("id", id), HTML.Attribute("name", name)]
        if isWrong { attributes.append(HTML.Attribute("aria-invalid", "true")) }
        if hint != nil { attributes.append(HTML.Attribute("aria-describedby", id + "-hint")) }
        if isRequired { attributes.append(HTML.Attribute("required", "")) }
        if let placeholder { attributes.append(HTML.Attribute("placeholder", placeholder)) }
        switch kind {
        case .choice(let choices):
            return tag("select", attributes, children: choices.map { Self.option($0.value, $0.words, value) })
        case .area, .lines:
            return tag(
                "textarea", attributes + [HTML.Attribute("rows", "4"), HTML.Attribute("spellcheck", "false")],
                .text(value))
        case .number:
            return tag("input", attributes + Self.input("text", value) + [HTML.Attribute("inputmode", "numeric")])
        case .password:
            return tag(
                "input", attributes + Self.input("password", value) + [HTML.Attribute("autocomplete", "new-password")])
        case .text, .boxes, .hidden:
            return tag(
                "input",
                attributes + Self.input("text", value)
                    + [HTML.Attribute("autocomplete", "off"), HTML.Attribute("spellcheck", "false")])
        }
    }

    private func boxes(_ choices: [(value: String, words: String)], chosen: Set<String>, id: String) -> HTML {
        let rows = choices.map { choice in
            tag(
                "label", [],
                tag(
                    "input",
                    [HTML.Attribute("type", "checkbox"), HTML.Attribute("name", box(choice.value))]
                        + (chosen.contains(choice.value) ? [HTML.Attribute("checked", "")] : [])),
                .text(" " + choice.words))
        }
        return tag(
            "fieldset", [.className("boxes")], tag("legend", [], .text(label)), .group(rows),
            hint.map { Self.hint(id, $0) } ?? .nothing)
    }

    private static func hint(_ id: String, _ text: String) -> HTML {
        tag("p", [.className("hint"), HTML.Attribute("id", id + "-hint")], .text(text))
    }

    private static func input(_ type: String, _ value: String) -> [HTML.Attribute] {
        [HTML.Attribute("type", type), HTML.Attribute("value", value)]
    }

    private static func option(_ value: String, _ words: String, _ chosen: String) -> HTML {
        tag(
            "option",
            [HTML.Attribute("value", value)] + (value == chosen ? [HTML.Attribute("selected", "")] : []), .text(words))
    }
}
