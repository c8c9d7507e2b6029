// SPDX-License-Identifier: Apache-2.0
import EventStore

extension RouteTable {
    /// The page's parts beside issues and events.
    static let siteSections: [Route] = [
        Route(
            method: "GET", pattern: "/issues.json", access: .session(.read),
            summary: "The page: what its list of issues follows.", query: ["limit"] + IssueQuery.parameters,
            handler: IssueHandlers.issues),
        Route(
            method: "POST", pattern: "/issues", access: .session(.write), body: .form,
            summary: "The page: resolves, mutes, opens or assigns several issues at once.", handler: BulkActions.apply,
            answer: .page),
        Route(
            method: "GET", pattern: "/releases", access: .session(.read), summary: "The page: releases.",
            handler: ReleasePageHandlers.list, answer: .page),
        Route(
            method: "GET", pattern: "/release", access: .session(.read),
            summary: "The page: a release by day, beside another where one is named.", query: ["name", "with"],
            required: ["name"], handler: ReleasePageHandlers.show, answer: .page),
        Route(
            method: "GET", pattern: "/recordings", access: .session(.read),
            summary: "The page: screen recordings, of a session, user or release where one is named.",
            query: ["cursor", "limit"] + RecordingHandlers.parameters, handler: RecordingPageHandlers.list,
            answer: .page),
        Route(
            method: "GET", pattern: "/recordings/{id}", access: .session(.read),
            summary: "The page: plays a part of a recording, from a frame on where one is named.",
            query: ["part", "frame"], handler: RecordingPageHandlers.show, answer: .page),
        Route(
            method: "GET", pattern: "/images", access: .session(.images),
            summary: "The page: debug images, and those that are missing.", query: ["cursor", "limit"],
            handler: ImagesPage.show, answer: .page),
        Route(
            method: "POST", pattern: "/images", access: .session(.upload), body: .files,
            summary: "The page: takes debug images and source bundles, and says what they can give.",
            handler: ImagesPage.upload, answer: .page),
        Route(
            method: "POST", pattern: "/operation/reprocess", access: .session(.admin), body: .form,
            summary: "The page: works again on the events of so many days.", handler: OperationPage.reprocess,
            answer: .page),
        Route(
            method: "POST", pattern: "/operation/forget-malformed", access: .session(.server), body: .form,
            summary: "The page: has images tried again that no worker survived.",
            handler: OperationPage.forgetMalformed,
            answer: .page),
        Route(
            method: "GET", pattern: "/operation", access: .session(.metrics),
            summary: "The page: whether the service keeps up, and what was lost.", handler: OperationPage.show,
            answer: .page),
        Route(
            method: "GET", pattern: "/start", access: .session(.read),
            summary: "The page: how a program is linked, and its first crash.", handler: StartPage.show, answer: .page),
        Route(
            method: "POST", pattern: "/start", access: .session(.admin), body: .form,
            summary: "The page: the same, with a key made for the program.", handler: StartPage.makeKey, answer: .page),
        Route(
            method: "GET", pattern: "/start.json", access: .session(.read),
            summary: "The page: the latest event, where it is not the known one.", query: ["known"],
            handler: StartPage.news),
        Route(
            method: "POST", pattern: "/theme", access: .open, body: .form,
            summary: "The page: dark or light, kept in a cookie.", handler: Theme.choose, answer: .page),
    ]
}
