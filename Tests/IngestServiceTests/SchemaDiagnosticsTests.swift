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
        #expect(diagnostics.take(key("i"), now: start) == 0)
        for second in [1, 300, 599] { #expect(diagnostics.take(key("i"), now: start + .seconds(second)) == nil) }
        #expect(diagnostics.take(key("i"), now: start + .seconds(600)) == 3)
        #expect(diagnostics.take(key("i"), now: start + .seconds(601)) == nil)
        #expect(diagnostics.take(key("i"), now: start + .seconds(1200)) == 1)
        #expect(diagnostics.take(key("i"), now: start + .seconds(1800)) == 0)
    }

    @Test func `installation, application and version are told apart`() {
        let diagnostics = SchemaDiagnostics()
        for key in [key("i"), key("j"), key("i", "b"), key("i", version: "3")] {
            #expect(diagnostics.take(key, now: start) == 0)
            #expect(diagnostics.take(key, now: start) == nil)
        }
    }

    @Test func `64 are tracked, and the last slot is shared by all further ones`() {
        let diagnostics = SchemaDiagnostics()
        for number in 0..<63 { #expect(diagnostics.take(key("i\(number)"), now: start) == 0) }
        #expect(diagnostics.take(key("one more"), now: start) == 0, "the shared slot's first")
        for number in 0..<10 { #expect(diagnostics.take(key("other \(number)"), now: start) == nil) }
        #expect(diagnostics.take(key("i5"), now: start) == nil, "it has a slot of its own")
        #expect(diagnostics.take(key("i5"), now: start + .seconds(600)) == 1)
    }

    @Test func `what was held back by the shared slot is counted together`() {
        let diagnostics = SchemaDiagnostics()
        for number in 0..<63 {
            _ = diagnostics.take(key("i\(number)"), now: start)
            // Something was held back: the slot is not given away.
            _ = diagnostics.take(key("i\(number)"), now: start)
        }
        #expect(diagnostics.take(key("a"), now: start) == 0)
        for number in 0..<7 { #expect(diagnostics.take(key("b\(number)"), now: start) == nil) }
        #expect(diagnostics.take(key("c"), now: start + .seconds(600)) == 7)
    }

    @Test func `a slot whose time is over and that holds nothing back is given to others`() {
        let diagnostics = SchemaDiagnostics()
        for number in 0..<63 { _ = diagnostics.take(key("i\(number)"), now: start) }
        #expect(diagnostics.take(key("i7"), now: start) == nil)
        let later = start + .seconds(700)
        for number in 0..<62 { #expect(diagnostics.take(key("new \(number)"), now: later) == 0) }
        #expect(diagnostics.take(key("i7"), now: later) == 1, "its count is not lost")
        #expect(diagnostics.take(key("beyond"), now: later) == 0)
        #expect(diagnostics.take(key("beyond too"), now: later) == nil)
    }
}
