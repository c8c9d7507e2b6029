// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Scopes of a real program, through the public calls.
@Suite struct ScopeProgramTests {
    let run: ProgramRun

    init() throws {
        run = try ProgramRun()
    }

    @Test func requestsSideBySideKeepToThemselves() throws {
        let server = try ScriptedServer()
        _ = try run.start(server, "tag=shard=7", "breadcrumb=up", "scopes=40", "message=after", "flush=30").wait()
        let events = try server.events()
        #expect(events.count == 41)
        for event in events.dropLast() {
            let number = try #require(event.tags["request"])
            #expect(event.errors.first?.message == "SampleError(number: \(number))")
            #expect(event.tags == ["shard": "7", "request": number])
            #expect(event.user == ["id": .string("user \(number)")])
            #expect(event.contexts["scope"]?["name"] == .string("request \(number)"))
            let own = event.breadcrumbs.filter { $0.category == "request" }.compactMap(\.message)
            #expect(own == ["\(number) begins", "\(number) in a child"])
            #expect(event.breadcrumbs.first?.message == "up")
        }
        let after = try #require(events.last)
        #expect(after.tags == ["shard": "7"])
        #expect(after.user == nil)
        #expect(after.breadcrumbs.filter { $0.category == "request" }.isEmpty)
        #expect(after.breadcrumbs.filter { $0.category == "global" }.count == 40)
    }

    @Test func aCrashHasWhatScopesWereToldAsBreadcrumbs() throws {
        let server = try ScriptedServer()
        let crash = try run.start(server, "breadcrumb=up", "scoped-crash").wait()
        #expect(crash.status == .signalled(SIGSEGV))
        let id = try #require(crash.output.split(separator: "\n").last.map(String.init))
        _ = try run.start(server, "flush=30").wait()
        let event = try #require(try server.events().first { $0.type == .crash })
        #expect(event.tags["order"] == nil)
        let scoped = event.breadcrumbs.filter { $0.data["scope"] == .string(id) }
        #expect(scoped.map(\.message) == ["order=42", "reads the order"])
        let thread = try #require(event.crashedThread?.id)
        #expect(scoped.allSatisfy { $0.data["thread"] == .integer(Int64(thread)) })
        #expect(event.breadcrumbs.first?.data["scope"] == nil)
    }
}
