// SPDX-License-Identifier: Apache-2.0

/// A table with its heads; it scrolls by itself where the page is too narrow, by keyboard too.
struct PageTable {
    let heads: [String]
    let rows: [HTML]

    /// The first cell names the row.
    static func row(_ name: HTML, _ cells: HTML...) -> HTML {
        tag(
            "tr", [],
            children: [tag("th", [HTML.Attribute("scope", "row")], name)] + cells.map { tag("td", [], $0) })
    }

    func under(_ title: String) -> HTML {
        tag("section", [], tag("h2", [], .text(title)), alone(named: title))
    }

    func alone(named name: String) -> HTML {
        let head = tag("tr", [], children: heads.map { tag("th", [HTML.Attribute("scope", "col")], .text($0)) })
        return tag(
            "div",
            [
                .className("wide"), HTML.Attribute("tabindex", "0"), HTML.Attribute("role", "region"),
                HTML.Attribute("aria-label", name),
            ],
            tag("table", [], tag("thead", [], head), tag("tbody", [], children: rows)))
    }
}
