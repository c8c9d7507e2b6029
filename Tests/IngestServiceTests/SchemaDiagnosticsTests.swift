// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import IngestService

/// Which refused records are told of.
struct SchemaDiagnosticsTests {
    private let start = ContinuousClock.now

    private func key(_ install: String, _ application: String = "a", version: String = "2") -> SchemaDiagnostics.Key {
        SchemaDiagnostics.Key(installID: install, application: application, version: version)
    }

    @Test func `the first is told without a count, and the next after ten minutes with how many came between`() {
        let diagnostics = SchemaDiagnostics()
        #expect(diagnostics.take(key("i"), now: start).suppressed == 0)
        for second in [1, 300, 599] {
            #expect(diagnostics.take(key("i"), now: start + .seconds(second)).suppressed == nil)
        }
        #expect(diagnostics.take(key("i"), now: start + .seconds(600)).suppressed == 3)
        #expect(diagnostics.take(key("i"), now: start + .seconds(601)).suppressed == nil)
        #expect(diagnostics.take(key("i"), now: start + .seconds(1200)).suppressed == 1)
        #expect(diagnostics.take(key("i"), now: start + .seconds(1800)).suppressed == 0)
    }

    @Test func `installation, application and version are told apart`() {
        let diagnostics = SchemaDiagnostics()
        for key in [key("i"), key("j"), key("i", "b"), key("i", version: "3")] {
            #expect(diagnostics.take(key, now: start).suppressed == 0)
            #expect(diagnostics.take(key, now: start).suppressed == nil)
        }
    }

    @Test func `64 are tracked of an application, and the last slot is shared by all further ones`() {
        let diagnostics = SchemaDiagnostics()
        for number in 0..<63 { #expect(diagnostics.take(key("i\(number)"), now: start).suppressed == 0) }
        #expect(diagnostics.take(key("one more"), now: start).suppressed == 0, "the shared slot's first")
        for number in 0..<10 { #expect(diagnostics.take(key("other \(number)"), now: start).suppressed == nil) }
        #expect(diagnostics.take(key("i5"), now: start).suppressed == nil, "it has a slot of its own")
        #expect(diagnostics.take(key("i5"), now: start + .seconds(600)).suppressed == 1)
    }

    @Test func `each application has a shared slot, and counts nothing of another's`() {
        let diagnostics = SchemaDiagnostics()
        for number in 0..<70 { _ = diagnostics.take(key("i\(number)"), now: start) }
        #expect(diagnostics.take(key("j", "b"), now: start).suppressed == 0)
        #expect(diagnostics.take(key("k", "b"), now: start).suppressed == nil)
        #expect(diagnostics.take(key("j", "c"), now: start).suppressed == 0)
        let later = start + .seconds(600)
        #expect(diagnostics.take(key("k", "b"), now: later).suppressed == 1)
        #expect(diagnostics.take(key("k", "c"), now: later).suppressed == 0)
        #expect(diagnostics.take(key("new"), now: later).suppressed == 6)
    }

    @Test func `applications beyond those with a shared slot share one`() {
        let diagnostics = SchemaDiagnostics()
        for number in 0..<63 { _ = diagnostics.take(key("i\(number)"), now: start) }
        for number in 0..<SchemaDiagnostics.mostApplications {
            #expect(diagnostics.take(key("i", "b\(number)"), now: start).suppressed == 0)
        }
        #expect(diagnostics.take(key("i", "c"), now: start).suppressed == 0)
        #expect(diagnostics.take(key("i", "d"), now: start).suppressed == nil)
        #expect(diagnostics.take(key("j", "b7"), now: start).suppressed == nil)
    }

    @Test func `slots whose time is over are given to others, and what they held back is told once`() {
        let diagnostics = SchemaDiagnostics()
        for number in 0..<63 {
            for _ in 0..<2 { _ = diagnostics.take(key("i\(number)"), now: start) }
        }
        for number in 0..<8 { _ = diagnostics.take(key("b\(number)"), now: start) }
        let later = start + .seconds(600)
        // Those never come again, and hold up nobody of another application.
        for number in 0..<62 { #expect(diagnostics.take(key("n\(number)", "b"), now: later).suppressed == 0) }
        #expect(diagnostics.take(key("c"), now: later).suppressed == 63 + 7)
        #expect(diagnostics.take(key("i7"), now: later).suppressed == 0, "it was told")
        #expect(diagnostics.take(key("i8"), now: later).suppressed == nil)
        for number in 0..<62 { #expect(diagnostics.take(key("n\(number)", "b"), now: later).suppressed == nil) }
    }

    @Test func `what was held back in a slot that was given away is told again with a batch that comes again`() {
        let diagnostics = SchemaDiagnostics()
        for number in 0..<63 { _ = diagnostics.take(key("i\(number)"), now: start) }
        #expect(diagnostics.take(key("i7"), now: start).suppressed == nil)
        let later = start + .seconds(700)
        let told = diagnostics.take(key("new"), now: later)
        #expect(told.suppressed == 1)
        diagnostics.undo([told])
        #expect(diagnostics.take(key("new"), now: later).suppressed == 1)
        #expect(diagnostics.take(key("i7"), now: later).suppressed == 0)
    }

    @Test func `a batch that was held back and comes again late takes nothing from the next ten minutes`() {
        let diagnostics = SchemaDiagnostics()
        _ = diagnostics.take(key("i"), now: start)
        let held = diagnostics.take(key("i"), now: start + .seconds(1))
        #expect(diagnostics.take(key("i"), now: start + .seconds(700)).suppressed == 1)
        #expect(diagnostics.take(key("i"), now: start + .seconds(701)).suppressed == nil)
        diagnostics.undo([held])
        #expect(diagnostics.take(key("i"), now: start + .seconds(1300)).suppressed == 1)
    }

    @Test func `of two batches that come again nothing is counted, whichever was undone first`() {
        let diagnostics = SchemaDiagnostics()
        let told = diagnostics.take(key("i"), now: start)
        let held = diagnostics.take(key("i"), now: start + .seconds(1))
        diagnostics.undo([told])
        diagnostics.undo([held])
        #expect(diagnostics.take(key("i"), now: start + .seconds(2)).suppressed == 0)
    }

    @Test func `what came with a batch that was not kept is told with the next`() {
        let diagnostics = SchemaDiagnostics()
        for _ in 0..<2 {
            let notices = (0..<3).map { _ in diagnostics.take(key("i"), now: start) }
            #expect(notices.map(\.suppressed) == [0, nil, nil])
            diagnostics.undo(notices)
        }
        #expect(diagnostics.take(key("i"), now: start).suppressed == 0)
        let held = diagnostics.take(key("i"), now: start + .seconds(1))
        diagnostics.undo([held])
        #expect(diagnostics.take(key("i"), now: start + .seconds(600)).suppressed == 0, "nothing was held back")
    }

    @Test func `what others held back meanwhile is not lost with it`() {
        let diagnostics = SchemaDiagnostics()
        _ = diagnostics.take(key("i"), now: start)
        _ = diagnostics.take(key("i"), now: start + .seconds(1))
        let told = diagnostics.take(key("i"), now: start + .seconds(700))
        #expect(told.suppressed == 1)
        let other = diagnostics.take(key("i"), now: start + .seconds(701))
        #expect(other.suppressed == nil)
        diagnostics.undo([told])
        #expect(diagnostics.take(key("i"), now: start + .seconds(702)).suppressed == 2)
        #expect(diagnostics.take(key("i"), now: start + .seconds(703)).suppressed == nil)
        // One that comes late changes nothing of a window that is another.
        diagnostics.undo([told])
        #expect(diagnostics.take(key("i"), now: start + .seconds(704)).suppressed == nil)
        #expect(diagnostics.take(key("i"), now: start + .seconds(1302)).suppressed == 2)
    }
}
