// SPDX-License-Identifier: Apache-2.0

/// The keys of the list of issues, and the switch for those who have no use for them.
enum KeysHelp {
    private static let keys = [
        ("j", "the next issue"), ("k", "the issue before"), ("Enter", "opens it"), ("x", "chooses it, or no longer"),
        ("/", "to the search"), ("?", "shows this"),
    ]

    static let content = tag(
        "details", [HTML.Attribute("id", "keys"), .className("keys")], tag("summary", [], "Keys"),
        tag(
            "dl", [.className("facts-table")],
            children: keys.map { key, words in
                tag("div", [], tag("dt", [], tag("kbd", [], .text(key))), tag("dd", [], .text(words)))
            }),
        tag(
            "label", [],
            tag("input", [HTML.Attribute("type", "checkbox"), HTML.Attribute("id", "keys-on")]),
            " Use these keys"))
}
