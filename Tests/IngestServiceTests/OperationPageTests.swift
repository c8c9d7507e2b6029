// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

/// What operators and those who look after releases see.
struct OperationPageTests {
    @Test func `what could not be worked on is told with its reason, and events are worked on again`() throws {
        let server = try ServerProcess()
        let unreadable = Samples.unreadable(9)
        #expect(try server.accepted(Samples.batch([unreadable, try Samples.item(Samples.crash(1))])).accepted == 2)
        _ = try server.event(1)
        let reader = try PageReader(server)
        let page = try server.eventually {
            let page = try reader.page("/operation").text
            return page.contains(Samples.eventID(9)) ? page : nil
        }
        #expect(page.contains("cannot be read: its program sends what is no valid event"))
        for text in ["Waits of writers for each other", "Debug images and source bundles", "Items a minute, at most"] {
            #expect(page.contains(text), "\(text)")
        }
        let again = try reader.send("/operation/reprocess", ["days": "3"])
        #expect(again.status == 200 && again.text.contains("1 event wait to be worked on again"))
        let wrong = try reader.send("/operation/reprocess", ["days": "<b>"])
        #expect(wrong.status == 400 && wrong.text.contains("“Events of the last days” must be a number of days"))
        #expect(try reader.send("/operation/forget-malformed").status == 303)
    }

    @Test func `a release tells what is new in it and what came back`() throws {
        let server = try ServerProcess()
        var (first, second) = (Samples.crash(1), Samples.crash(2))
        (first.release, second.release) = ("app@1.0", "app@2.0")
        (first.timestamp, second.timestamp) = (Timestamp(milliseconds: Timestamp.now.milliseconds - 1000), .now)
        let session =
            "{\"kind\":\"session\",\"id\":\"s\",\"payload\":{\"id\":\"s\",\"started\":\"\(Timestamp.now)\","
            + "\"status\":\"crashed\",\"release\":\"app@1.0\"}}"
        _ = try server.accepted(Samples.batch([session, try Samples.item(first)]))
        _ = try server.event(1)
        let reader = try PageReader(server)
        #expect(try reader.page("/releases").text.contains("query=release%3A%22app%401.0%22\">1</a>"))
        _ = try server.made("PATCH", "/projects/default/issues/1", ["status": "resolved", "after_release": "app@1.0"])
        _ = try server.accepted(try Samples.batch(second))
        _ = try server.event(2)
        let page = try reader.page("/releases").text
        #expect(page.contains("query=status%3Aregressed%20release%3A%22app%402.0%22\">1</a>"))
        #expect(!page.contains("query=release%3A%22app%402.0%22\">1</a>"), "it is not new there")
        try server.eventually {
            let release = try reader.page("/release?name=app%401.0").text
            return release.contains("aria-label=\"1 session in 14 days, 1 of them crashed\"") ? true : nil
        }
    }
}
