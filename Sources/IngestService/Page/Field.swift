// SPDX-License-Identifier: Apache-2.0

/// Parts of forms.
enum Field {
    static func hidden(_ name: String, _ value: String) -> HTML {
        tag(
            "input",
            [HTML.Attribute("type", "hidden"), HTML.Attribute("name", name), HTML.Attribute("value", value)])
    }

    static func submit(_ words: String) -> HTML {
        tag("button", [.className("quiet"), HTML.Attribute("type", "submit")], .text(words))
    }

    static func labelled(_ name: String, _ words: String, value: String, type: String = "text") -> [HTML] {
        [
            tag("label", [HTML.Attribute("for", name)], .text(words)),
            tag(
                "input",
                [
                    HTML.Attribute("id", name), HTML.Attribute("name", name), HTML.Attribute("type", type),
                    HTML.Attribute("value", value),
                ]),
        ]
    }
}
