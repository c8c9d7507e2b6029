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

    @Test func `64 are tracked, and the last slot is shared by all further ones`() {
        let diagnostics = SchemaDiagnostics()
        for number in 0..<63 { #expect(diagnostics.take(key("i\(number)"), now: start).suppressed == 0) }
        #expect(diagnostics.take(key("one more"), now: start).suppressed == 0, "the shared slot's first")
        for number in 0..<10 { #expect(diagnostics.take(key("other \(number)"), now: start).suppressed == nil) }
        #expect(diagnostics.take(key("i5"), now: start).suppressed == nil, "it has a slot of its own")
        #expect(diagnostics.take(key("i5"), now: start + .seconds(600)).suppressed == 1)
    }

    @Test func `what was held back by the shared slot is counted together`() {
        let diagnostics = SchemaDiagnostics()
        for number in 0..<63 {
            _ = diagnostics.take(key("i\(number)"), now: start)
            // Something was held back: the slot is not given away.
            _ = diagnostics.take(key("i\(number)"), now: start)
        }
        #expect(diagnostics.take(key("a"), now: start).suppressed == 0)
        for number in 0..<7 { #expect(diagnostics.take(key("b\(number)"), now: start).suppressed == nil) }
        #expect(diagnostics.take(key("c"), now: start + .seconds(600)).suppressed == 7)
    }

    @Test func `a slot whose time is over and that holds nothing back is given to others`() {
        let diagnostics = SchemaDiagnostics()
        for number in 0..<63 { _ = diagnostics.take(key("i\(number)"), now: start) }
        #expect(diagnostics.take(key("i7"), now: start).suppressed == nil)
        let later = start + .seconds(700)
        for number in 0..<62 { #expect(diagnostics.take(key("new \(number)"), now: later).suppressed == 0) }
        #expect(diagnostics.take(key("i7"), now: later).suppressed == 1, "its count is not lost")
        #expect(diagnostics.take(key("beyond"), now: later).suppressed == 0)
        #expect(diagnostics.take(key("beyond too"), now: later).suppressed == nil)
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
