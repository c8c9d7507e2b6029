// SPDX-License-Identifier: Apache-2.0

extension RouteTable {
    /// Lines of code at their host.
    static let linking: [Route] = [
        Route(
            method: "GET", pattern: project + "/source-link", access: .token(.read),
            summary: "How addresses of lines at the project's code host are made.", handler: SourceLinkHandlers.show),
        Route(
            method: "PUT", pattern: project + "/source-link", access: .token(.admin), body: .json,
            summary: "Sets it; without a template, takes it away.",
            fields: [
                SourceLinkHandlers.template, .text("prefix", longest: SourceLinkHandlers.longest),
            ], handler: SourceLinkHandlers.set),
        Route(
            method: "POST", pattern: project + "/release-commits", access: .token(.upload), body: .json,
            summary: "Says which commit a release was built from.",
            fields: [.text("release", required: true), .text("commit", required: true)],
            handler: SourceLinkHandlers.setCommit),
        Route(
            method: "GET", pattern: project + "/events/{id}/source-links", access: .token(.read),
            summary: "The addresses of an event's lines at the project's code host.", handler: SourceLinkHandlers.links),
    ]
}
