// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

@testable import EventStore

struct IssueStateTests {
    private func history(_ fixture: StoreFixture, _ issue: Int64 = 1) throws -> [String] {
        try fixture.store.history(project: 1, issue: issue, after: nil, limit: 50).items.map { entry in
            [entry.by, entry.change, entry.text, entry.event].compactMap { $0 }.joined(separator: " ")
        }
    }

    @Test(arguments: Backend.all) func `an issue resolved at once regresses by what happens later only`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["F1"])
        try fixture.change(.resolve(.now), at: 5000)
        try fixture.add("late", keys: ["F1"], time: 4999)
        #expect(try fixture.issue()?.status == .resolved, "it happened before, and came late")
        try fixture.add("again", keys: ["F1"], time: 5001)
        #expect(try fixture.issue()?.status == .regressed)
        #expect(try history(fixture) == ["vaka regressed again", "ann resolved"])
        #expect(try fixture.issue()?.terms.changedBy == "vaka")
    }

    @Test(
        arguments: [
            ("app@1.9.0", false), ("app@1.10.0", true), ("app@1.10.1", true), ("app@2.0.0-rc.1", true),
            ("app@1.10.0-rc.1", false),
        ], Backend.all)
    func `an issue resolved in a release regresses by it and later ones`(
        release: (name: String, regresses: Bool), backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["F1"], release: "app@1.9.0")
        try fixture.change(.resolve(.inRelease("app@1.10.0")))
        #expect(try fixture.issue()?.terms.resolvedIn == "app@1.10.0")
        try fixture.add("e2", keys: ["F1"], release: release.name, time: 9000)
        #expect(try fixture.issue()?.status == (release.regresses ? .regressed : .resolved))
    }

    @Test(arguments: Backend.all) func `an issue resolved after a release regresses by later ones only`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["F1"], release: "1.1.0")
        try fixture.change(.resolve(.afterRelease("1.1.0")))
        for release in ["1.1.0", "1.0.9", nil] {
            try fixture.add("of \(release ?? "none")", keys: ["F1"], release: release, time: 9000)
            #expect(try fixture.issue()?.status == .resolved, "\(release ?? "none")")
        }
        try fixture.add("e9", keys: ["F1"], release: "1.2.0", time: 9000)
        #expect(try fixture.issue()?.status == .regressed)
    }

    @Test(arguments: Backend.all) func `releases that are no versions are ordered by when they were first seen`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for (index, release) in ["zebra", "apple", "mango"].enumerated() {
            try fixture.add("o\(index)", keys: ["F9"], release: release, time: Int64(9000 - index))
        }
        try fixture.add("e1", keys: ["F1"], release: "apple")
        try fixture.change(.resolve(.afterRelease("apple")), issue: 2)
        try fixture.add("e2", keys: ["F1"], release: "zebra", time: 9000)
        #expect(try fixture.issue(2)?.status == .resolved)
        try fixture.add("e3", keys: ["F1"], release: "mango", time: 9000)
        #expect(try fixture.issue(2)?.status == .regressed)
    }

    @Test(arguments: Backend.all) func `a release that was never seen is to come`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["F1"], release: "b-one")
        try fixture.change(.resolve(.inRelease("b-two")))
        try fixture.add("e2", keys: ["F1"], release: "b-one-and-a-half", time: 9000)
        #expect(try fixture.issue()?.status == .resolved)
        try fixture.add("e3", keys: ["F1"], release: "b-two", time: 9000)
        #expect(try fixture.issue()?.status == .regressed)
    }

    @Test(arguments: Backend.all)
    func `a muted issue is silent for ever, until a time, or until events come close together`(_ backend: Backend)
        throws
    {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["F1"])
        try fixture.change(.mute(.forever))
        try fixture.add("e2", keys: ["F1"], time: 9_000_000)
        #expect(try fixture.issue()?.status == .muted)

        try fixture.change(.mute(.until(Timestamp(milliseconds: 20_000))))
        try fixture.add("e3", keys: ["F1"], time: 18_000)
        try fixture.store.endMutes(project: 1, now: Timestamp(milliseconds: 19_999))
        #expect(try fixture.issue()?.status == .muted)
        try fixture.store.endMutes(project: 1, now: Timestamp(milliseconds: 20_000))
        #expect(try fixture.issue()?.status == .open)

        try fixture.change(.mute(.events(3, window: 60_000)))
        for time: Int64 in [100_000, 130_000, 200_000, 230_000] {
            try fixture.add("m\(time)", keys: ["F1"], time: time)
            #expect(try fixture.issue()?.status == .muted, "\(time)")
        }
        try fixture.add("m5", keys: ["F1"], time: 240_000)
        #expect(try fixture.issue()?.status == .open)
        #expect(
            try history(fixture).first == "vaka opened m5"
                && history(fixture).contains("ann muted until 3 events come in 60 s"))
    }

    @Test(arguments: Backend.all) func `assignee and comments are kept, with who and when`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["F1"])
        try fixture.change(.assign("bob"), .comment("look at\nthis"), at: 7000)
        #expect(try fixture.issue()?.assignee == "bob")
        try fixture.change(.assign(nil))
        #expect(try fixture.issue()?.assignee == nil)
        #expect(try history(fixture) == ["ann assigned", "ann commented look at\nthis", "ann assigned bob"])
        let first = try fixture.store.history(project: 1, issue: 1, after: nil, limit: 2)
        let rest = try fixture.store.history(project: 1, issue: 1, after: first.next, limit: 2)
        #expect(rest.items.map(\.at) == [Timestamp(milliseconds: 7000)])
        #expect(try fixture.store.history(project: 2, issue: 1, after: nil, limit: 9).items.isEmpty)
        #expect(try fixture.store.change(project: 2, issue: 1, [.open], by: "eve", now: .now) == nil)
    }

    @Test(arguments: [
        ("1.2.3", "1.2.4"), ("1.2.9", "1.2.10"), ("v1.0.0-alpha", "1.0.0"), ("1.0.0-alpha", "1.0.0-alpha.1"),
        ("1.0.0-2", "1.0.0-10"), ("1.0.0-10", "1.0.0-a"), ("a@1.0", "a@1.0.1"), ("1.0.0-rc.1+7", "1.0.0+1"),
        ("18446744073709551615.0", "18446744073709551615.1"),
    ])
    func `versions are ordered as semantic versioning says`(earlier: String, later: String) throws {
        let (left, right) = (try #require(ReleaseVersion(earlier)), try #require(ReleaseVersion(later)))
        #expect(try #require(left.order(to: right)) < 0)
        #expect(try #require(right.order(to: left)) > 0)
    }

    @Test(arguments: ["", "1", "abc", "1..2", "1.2.3.4.5", "99999999999999999999.1", "1.x", "-1.2", "1.2.", "@", "２.１"])
    func `other names are no versions`(name: String) {
        #expect(ReleaseVersion(name) == nil)
    }

    @Test func `versions of two programs are not compared`() throws {
        let (one, other) = (try #require(ReleaseVersion("a@1.0")), try #require(ReleaseVersion("b@2.0")))
        #expect(one.order(to: other) == nil)
        #expect(try #require(ReleaseVersion("1.0.0+1")).order(to: try #require(ReleaseVersion("1.0.0+2"))) == nil)
    }
}
