// SPDX-License-Identifier: Apache-2.0

extension RouteTable {
    /// The page's parts beside issues and events.
    static let siteSections: [Route] = [
        Route(
            method: "GET", pattern: "/releases", access: .session(.read), summary: "The page: releases.",
            handler: ReleasePageHandlers.list, answer: .page),
        Route(
            method: "GET", pattern: "/release", access: .session(.read),
            summary: "The page: a release by day, beside another where one is named.", query: ["name", "with"],
            required: ["name"], handler: ReleasePageHandlers.show, answer: .page),
        Route(
            method: "GET", pattern: "/images", access: .session(.images),
            summary: "The page: debug images, and those that are missing.", query: ["cursor", "limit"],
            handler: ImagesPage.show, answer: .page),
        Route(
            method: "GET", pattern: "/operation", access: .session(.metrics),
            summary: "The page: whether the service keeps up, and what was lost.", handler: OperationPage.show,
            answer: .page),
        Route(
            method: "POST", pattern: "/theme", access: .open, body: .form,
            summary: "The page: dark or light, kept in a cookie.", handler: Theme.choose, answer: .page),
    ]
}
