// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

@testable import EventStore

struct SearchTests {
    private func fixture(_ backend: Backend) throws -> StoreFixture {
        let fixture = try StoreFixture(backend)
        try fixture.add(
            "e1", keys: ["F1"], release: "1.0", environment: "prod", user: "u1", time: 10,
            texts: [SearchText(.function, "app.parse(x:)\nmain"), SearchText(.tag, "host db-7")])
        try fixture.add(
            "e2", keys: ["F2"], release: "1.1", environment: "prod", user: "u2", time: 30,
            texts: [SearchText(.function, "std::vector<int>::at"), SearchText(.message, "Größe ist falsch")])
        try fixture.add(
            "e3", keys: ["F3"], release: "1.1", environment: "test", user: "u2", time: 20,
            texts: [SearchText(.breadcrumb, "opened parse window")])
        for index in 0..<3 { try fixture.add("m\(index)", keys: ["F3"], user: "v\(index)", time: 15) }
        return fixture
    }

    private func found(_ fixture: StoreFixture, _ text: String, _ sort: IssueQuery.Sort = .lastSeen) throws -> [Int64] {
        var query = IssueQuery(sort: sort)
        query.add(text)
        return try fixture.store.issues(project: 1, query, after: nil, limit: 10).items.map(\.id)
    }

    @Test(arguments: Backend.all) func `words, phrases and fields find issues`(_ backend: Backend) throws {
        let fixture = try fixture(backend)
        for (text, wanted) in [
            ("", [2, 3, 1]), ("parse", [3, 1]), ("par", [3, 1]), ("function:parse", [1]), ("breadcrumb:parse", [3]),
            ("parse main", [1]), ("parse -main", [3]), ("\"parse window\"", [3]), ("\"window parse\"", []),
            ("\"pars\"", []), ("app.parse(x:)", [1]), ("vector<int>::at", [2]), ("GRÖSSE", []), ("grosse", []),
            ("größe", [2]),
            ("GROßE", [2]), ("tag:db-7", [1]), ("host:db", [1]), ("title", [2, 3, 1]), ("title:title", [2, 3, 1]),
            ("file:parse", []), ("- parse", [3, 1]), ("...", [2, 3, 1]),
        ] as [(String, [Int64])] {
            #expect(try found(fixture, text) == wanted, "\(text)")
        }
    }

    @Test(arguments: Backend.all) func `filters choose by what issues have`(_ backend: Backend) throws {
        let fixture = try fixture(backend)
        try fixture.change(.resolve(.now), .assign("Ann Lee"), issue: 2, at: 99)
        try fixture.change(.mute(.forever), issue: 3)
        for (text, wanted) in [
            ("status:resolved", [2]), ("status:unresolved", [1]), ("-status:unresolved", [2, 3]),
            ("status:muted status:resolved", [2, 3]), ("release:1.1", [2, 3]), ("release:1.0 environment:prod", [1]),
            ("release:1.0 release:1.1", [2, 3, 1]), ("user:u2 -environment:test", [2]), ("assignee:\"ann lee\"", [2]),
            ("assignee:none", [3, 1]), ("type:crash level:fatal", [2, 3, 1]), ("type:hang", []),
            ("status:nonsense", []),
            ("Status:Resolved", [2]), ("status:", []),
        ] as [(String, [Int64])] {
            #expect(try found(fixture, text) == wanted, "\(text)")
        }
    }

    @Test(arguments: Backend.all) func `lists are sorted and paged by each order`(_ backend: Backend) throws {
        for (sort, wanted) in [
            (IssueQuery.Sort.lastSeen, [2, 3, 1]), (.firstSeen, [2, 3, 1]), (.events, [3, 2, 1]), (.users, [3, 2, 1]),
        ] as [(IssueQuery.Sort, [Int64])] {
            let fixture = try fixture(backend)
            #expect(try found(fixture, "", sort) == wanted)
            var cursor: Cursor?
            var seen: [Int64] = []
            repeat {
                let page = try fixture.store.issues(project: 1, IssueQuery(sort: sort), after: cursor, limit: 1)
                seen += page.items.map(\.id)
                cursor = page.next
                // What comes first now was not there when the reading began.
                try fixture.add("new \(sort) \(seen.count)", keys: ["F\(sort)\(seen.count)"], time: 1_000_000)
            } while cursor != nil && seen.count < 3
            if sort == .lastSeen || sort == .firstSeen { #expect(seen == wanted && cursor == nil) }
        }
    }

    @Test(arguments: Backend.all) func `hostile queries find nothing and break nothing`(_ backend: Backend) throws {
        let fixture = try fixture(backend)
        for text in [
            "\"", "\"\"", "'", "' OR 1=1 --", "a\" OR \"b", "NEAR(a b)", "a AND", "OR", "NOT", "^a", "a*b*",
            "{title}:x", "title : x",
            "-", "--", "-\"", ":", "::", "status:\"", "\u{0}", "a\u{0}b", "\u{FFFD}", "👩‍👩‍👧", "\u{0378}", "%", "_", ")",
            "(", "+", "a + b", "*",
            String(repeating: "a ", count: 500), String(repeating: "\"", count: 999),
            String(repeating: "(", count: 999),
            String(repeating: "user:x ", count: 100), String(repeating: "-parse ", count: 100),
        ] {
            #expect(throws: Never.self, "\(text.debugDescription.prefix(60))") { try found(fixture, text) }
        }
        #expect(try found(fixture, "' OR 1=1 --") == [])
    }

    @Test(arguments: Backend.all) func `a folded issue's words lead to where it went`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add(
            "e1", keys: ["Fraw", "A1"], basis: .addresses, waiting: ["aa"], texts: [SearchText(.tag, "unusual")])
        try fixture.add("e3", keys: ["Fnamed", "A2"])
        try fixture.upload("aa")
        let item = try #require(try fixture.store.claimMendItem())
        _ = try fixture.store.complete(fixture.event(.mend(eventRow: item.eventRow), id: "e1", keys: ["Fnamed", "A1"]))
        #expect(try found(fixture, "unusual") == [2])
    }

    @Test(arguments: Backend.all) func `what is said again is indexed once, and one issue cannot fill the index`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for index in 0..<5 {
            try fixture.add(
                "e\(index)", keys: ["F1"], texts: [SearchText(.tag, "same"), SearchText(.tag, "n\(index / 3)")])
        }
        #expect(
            try fixture.store.read { (connection) throws(StoreError) in
                try connection.first("SELECT texts FROM issues") { $0.int(0) }
            } == 2)
        try fixture.store.write { (connection) throws(StoreError) in
            try connection.run("UPDATE issues SET texts = 1000")
        }
        try fixture.add("e9", keys: ["F1"], texts: [SearchText(.tag, "overflow")])
        #expect(try found(fixture, "overflow") == [])
        #expect(try found(fixture, "same") == [1])
    }

    @Test func `a word is indexed once for an issue, however many of its texts say it`() throws {
        let fixture = try StoreFixture()
        for index in 0..<50 {
            try fixture.add(
                "e\(index)", keys: ["F1"],
                texts: [
                    SearchText(.breadcrumb, "GET /invoices/\(index) größe"), SearchText(.message, "get it"),
                ])
        }
        func rows(_ match: String) throws -> Int? {
            try fixture.store.read { (connection) throws(StoreError) in
                try connection.first("SELECT count(*) FROM issue_words WHERE issue_words MATCH ?", [.text(match)]) {
                    $0.int(0)
                }
            }
        }
        #expect(try rows("get") == 1 && rows("größe") == 1 && rows("title") == 1)
        #expect(try rows("4 *") == 11)
        for text in [
            "get", "inv", "breadcrumb:get", "message:get", "GET", "47", "\"invoices/47\"", "\"get\" 47", "größe",
        ] {
            #expect(try found(fixture, text) == [1], "\(text)")
        }
        for text in ["message:invoices", "\"invoice\"", "50", "\"invoices/50\""] {
            #expect(try found(fixture, text) == [], "\(text)")
        }
    }

    @Test(arguments: Backend.all) func `an issue with more words than are remembered is found by all of them`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        let words = (0..<900).map { "word\($0)" }.joined(separator: " ")
        try fixture.add("e1", keys: ["F1"], texts: [SearchText(.tag, words)])
        try fixture.add("e2", keys: ["F1"], texts: [SearchText(.tag, words + " more")])
        for text in ["word0", "word511", "word899", "more"] { #expect(try found(fixture, text) == [1], "\(text)") }
    }

    @Test func `a database from before words were indexed gets the words that it has`() throws {
        let fixture = try fixture(.sqlite)
        try fixture.store.write { (connection) throws(StoreError) in
            try connection.execute("DROP TABLE issue_words; DROP TABLE issue_known_words")
            try connection.execute(Migrations.words)
        }
        fixture.store.close()
        let later = try SQLEventStore(path: fixture.folder.path + "/vaka.db")
        defer { later.close() }
        for (text, wanted) in [
            ("parse", [3, 1]), ("function:parse", [1]), ("tag:parse", []), ("falsch", [2]), ("title", [2, 3, 1]),
        ] as [(String, [Int64])] {
            var query = IssueQuery(sort: .lastSeen)
            query.add(text)
            #expect(try later.issues(project: 1, query, after: nil, limit: 10).items.map(\.id) == wanted, "\(text)")
        }
    }
}
