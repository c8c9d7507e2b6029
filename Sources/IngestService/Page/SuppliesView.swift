// SPDX-License-Identifier: Apache-2.0
import DebugImages

/// Who can give the images that would make frames readable, and how.
struct SuppliesView {
    private static let most = 50

    let supplies: [ImageSupply]

    var content: HTML {
        guard !supplies.isEmpty else { return .nothing }
        return tag(
            "section", [], tag("h2", [], .text("What would make it readable")),
            tag("ul", [.className("loss")], children: supplies.prefix(Self.most).enumerated().map(row)))
    }

    private func row(_ number: Int, _ supply: ImageSupply) -> HTML {
        tag(
            "li", [], tag("b", [], .text(supply.codeFile ?? "no file")),
            .text(" (\(Words.count(supply.frames, "frame"))): \(supply.reason)"),
            supply.command.map { CopyButton.block("supply-\(number)", $0) } ?? .nothing)
    }
}
