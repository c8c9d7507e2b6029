// SPDX-License-Identifier: Apache-2.0

extension RouteTable {
    /// The pages of the settings, and what their forms do.
    static let settings: [Route] =
        [
            Route(
                method: "GET", pattern: "/settings", access: .session(.read),
                summary: "The page: leads to the settings.",
                handler: SettingsSection.index, answer: .page)
        ] + settingsPages + settingsForms

    private static let settingsPages = SettingsSection.all.map { section in
        Route(
            method: "GET", pattern: section.path, access: .session(section.readers),
            summary: "The page: settings, \(section.title.lowercased()).",
            query: ["saved"] + (section.name == "audit" ? ["cursor", "limit"] : []), handler: section.show,
            answer: .page)
    }

    private static let settingsForms: [Route] = [
        form(.keys, "", "makes an ingest key", SettingsSection.addKey),
        form(.keys, "/{id}/revoke", "revokes an ingest key", SettingsSection.revokeKey),
        form(.tokens, "", "makes a token", SettingsSection.addToken),
        form(.tokens, "/{id}/revoke", "revokes a token", SettingsSection.revokeToken),
        form(.members, "", "gives a user a part in the project", SettingsSection.setMember),
        form(.members, "/{name}/remove", "takes a user's part away", SettingsSection.removeMember),
        form(.limits, "", "sets limits, and what is kept", SettingsSection.setLimits),
        form(.scrubbing, "", "sets what is taken out of texts", SettingsSection.setScrubbing),
        form(.scrubbing, "/apply", "applies that to what is stored", SettingsSection.applyScrubbing),
        Route(
            method: "POST", pattern: SettingsSection.scrubbing.path + "/try", access: .session(.read), body: .form,
            summary: "The page: what the rules make of a text.", handler: SettingsSection.tryScrubbing, answer: .page),
        form(.alerts, "", "adds an alert target", SettingsSection.addTarget),
        form(.alerts, "/{id}/remove", "removes an alert target", SettingsSection.removeTarget),
        form(.alerts, "/{id}/test", "sends an alert target a test", SettingsSection.testTarget),
        form(.sdk, "", "sets the switches for the SDK", SettingsSection.setSDK),
        form(.source, "", "sets where the code is hosted", SettingsSection.setSource),
        form(.projects, "", "makes a project", SettingsSection.addProject),
        form(.users, "", "adds a user", SettingsSection.addUser),
        form(.users, "/{name}/{change}", "changes or removes a user", SettingsSection.changeUser),
    ]

    private static func form(
        _ section: SettingsSection, _ path: String, _ summary: String, _ handler: @escaping Route.Handler
    ) -> Route {
        Route(
            method: "POST", pattern: section.path + path, access: .session(section.changers), body: .form,
            summary: "The page: \(summary).", handler: handler, answer: .page)
    }
}
