// SPDX-License-Identifier: Apache-2.0
import EventStore

/// What the header of every page leads to.
enum SiteSection: String, CaseIterable, Sendable {
    case issues = "Issues"
    case releases = "Releases"
    case network = "Network"
    case recordings = "Recordings"
    case images = "Images"
    case operation = "Operation"
    case settings = "Settings"

    var path: String {
        switch self {
        case .issues: "/"
        case .releases: "/releases"
        case .network: "/network"
        case .recordings: "/recordings"
        case .images: "/images"
        case .operation: "/operation"
        case .settings: "/settings"
        }
    }

    /// What its readers must be permitted.
    var permission: Permission {
        switch self {
        case .issues, .releases, .network, .recordings, .settings: .read
        case .images: .images
        case .operation: .metrics
        }
    }

    static func navigation(of caller: Caller?, here: SiteSection?) -> HTML {
        let open = allCases.filter { caller?.may($0.permission) == true }
        guard !open.isEmpty else { return .nothing }
        return tag(
            "nav", [HTML.Attribute("aria-label", "Parts of the site")],
            children: open.map { section in
                tag(
                    "a",
                    [.href(section.path)] + (section == here ? [HTML.Attribute("aria-current", "page")] : []),
                    .text(section.rawValue))
            })
    }
}
