// SPDX-License-Identifier: Apache-2.0

extension RouteTable {
    /// Whom a project tells of what.
    static let alerting: [Route] = [
        Route(
            method: "GET", pattern: project + "/alert-targets", access: .token(.admin),
            summary: "Whom the project tells of new issues, regressions, spikes and crash-free drops.",
            handler: AlertHandlers.list),
        Route(
            method: "POST", pattern: project + "/alert-targets", access: .token(.admin), body: .json,
            summary: "Adds a target; the secret that webhooks are signed with is in this answer only.",
            fields: [AlertHandlers.channel, AlertHandlers.address, AlertHandlers.kindList],
            handler: AlertHandlers.add),
        Route(
            method: "POST", pattern: project + "/alert-targets/{id}/remove", access: .token(.admin),
            summary: "Removes a target, and what it was to be told.", handler: AlertHandlers.remove),
        Route(
            method: "POST", pattern: project + "/alert-targets/{id}/test", access: .token(.admin),
            summary: "Sends the target a test, and answers what became of the first attempt.",
            handler: AlertHandlers.test),
        Route(
            method: "GET", pattern: project + "/alerts", access: .token(.read),
            summary: "The last alerts, newest first, with what became of them.", handler: AlertHandlers.log),
    ]
}
