// SPDX-License-Identifier: Apache-2.0

/// A text to be copied, with the button that does it; without the page's script there is only the text.
enum CopyButton {
    /// - Parameter id: of the element whose text is copied; the only one of its name on the page.
    static func of(_ id: String, _ words: String = "Copy") -> HTML {
        tag(
            "button",
            [
                .className("quiet copy"), HTML.Attribute("type", "button"), HTML.Attribute("data-copy", "#" + id),
                HTML.Attribute("hidden", ""),
            ], .text(words))
    }

    /// A command or another text of a few lines.
    static func block(_ id: String, _ text: String) -> HTML {
        tag(
            "div", [.className("copied")],
            tag("pre", [HTML.Attribute("id", id), HTML.Attribute("tabindex", "0")], tag("code", [], .text(text))),
            of(id))
    }
}
