// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

/// Markup in everything that people and programs name is shown as text, on every page.
struct HostileSettingsTests {
    private static let corpus = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' autofocus onfocus='alert(1)",
        "</textarea><svg onload=alert(1)>", "javascript:alert(1)//", "\" style=\"position:fixed\" x=\"",
        "<!--", "&lt;script&gt;", "\u{202E}gnp.exe", "</title><iframe src=//x>",
    ]

    /// Each field that takes any text holds one of the corpus.
    private func fill(_ server: ServerProcess) throws {
        let project = "/projects/default"
        for text in Self.corpus {
            let text = JSONValue.string(text)
            _ = try server.made("POST", project + "/keys", ["name": text])
            _ = try server.made("POST", project + "/tokens", ["name": text, "scopes": ["read"]])
            _ = try server.made("POST", project + "/release-commits", ["release": text, "commit": text])
            _ = try server.made("POST", project + "/issues/1/comments", ["text": text, "by": text])
            _ = try server.made("PATCH", project + "/issues/1", ["assignee": text])
        }
        let all = JSONValue.array(Self.corpus.map { .string($0) })
        _ = try server.made(
            "PUT", project + "/scrubbing",
            [
                "names": all, "user_fields": all,
                "rules": [["name": "own", "pattern": "<script>alert[(]1[)]</script></textarea><b>"]],
            ])
        let settings = Dictionary(uniqueKeysWithValues: Self.corpus.map { ($0, JSONValue.string($0)) })
        _ = try server.made("POST", project + "/sdk-settings", .object(settings))
        _ = try server.made(
            "PUT", project + "/source-link",
            [
                "template": "https://x/{path}\"><script>alert(1)</script>",
                "prefix": "</textarea><script>alert(1)</script>",
            ])
        _ = try server.made(
            "POST", project + "/alert-targets",
            ["channel": "webhook", "address": "http://127.0.0.1:9/?a=%3Cscript%3E&b='\"><script>alert(1)</script>"])
    }

    private static let paths =
        ["/", "/issues/1", "/releases", "/images", "/operation", "/projects", "/account", "/start"]
        + SettingsSection.all.map(\.path)

    /// Tags and attributes of ours only.
    private func check(_ page: HTTPClient.Response, _ place: Comment) {
        let text = page.text
        for markup in ["<script>", "<img", "<iframe", "<svg onload", "<!--"] {
            #expect(!text.contains(markup), place)
        }
        // In text the signs around it are escaped.
        #expect(!text.contains(/<[a-z]+( [a-z-]+="[^"]*")* on[a-z]+=/), place)
        #expect(!text.contains(/(href|src|action)="javascript:/), place)
        #expect(!text.contains("\u{202E}"), place)
    }

    @Test func `what people name is text on every page`() throws {
        let server = try ServerProcess(["--alert-network", "127.0.0.0/8"])
        var event = Samples.crash(1, function: Self.corpus[0], message: Self.corpus[1])
        event.release = Self.corpus[3]
        #expect(try server.accepted(try Samples.batch(event)).accepted == 1)
        _ = try server.event(1)
        try fill(server)
        let reader = try PageReader(server)
        for path in Self.paths {
            let page = try reader.page(path)
            #expect(page.status == 200, "\(path)")
            check(page, "\(path)")
        }
        // And what the forms give back of what was written.
        for text in Self.corpus {
            let answers = try [
                reader.send("/settings/members", ["user": text, "role": text]),
                reader.send("/settings/limits", ["keep_days": text]),
                reader.send("/settings/projects", ["name": text]),
                reader.send("/settings/users", ["name": text]),
                reader.send("/settings/alerts", ["channel": "webhook", "address": text]),
                reader.send("/settings/sdk", ["others": text]),
                reader.send("/settings/source", ["template": text]),
                reader.send("/settings/scrubbing", ["rules": text + " ("]),
            ]
            for answer in answers {
                #expect(answer.status == 400 || answer.status == 404, "\(text): \(answer.status)")
                check(answer, "\(text)")
            }
            check(try reader.page("/?query=" + FormCoding.encode(text)), "\(text) as a query")
        }
    }
}
