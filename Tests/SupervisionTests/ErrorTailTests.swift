// SPDX-License-Identifier: Apache-2.0
import Supervision
import Testing
import VakaModel

@Suite struct ErrorTailTests {
    private func tail(_ text: String, step: Int = 7) -> ErrorTail {
        var tail = ErrorTail()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            tail.add(bytes[start..<min(start + step, bytes.count)], time: Timestamp(milliseconds: Int64(start)))
        }
        tail.finish(time: Timestamp(milliseconds: 0))
        return tail
    }

    @Test func linesAreKeptHoweverTheyArrive() {
        for step in 1...9 {
            let messages = tail("one\r\ntwö\n\nthree", step: step).breadcrumbs.map(\.message)
            #expect(messages == ["one", "twö", "three"])
        }
    }

    /// Of what was written for a terminal, what stood there in the end.
    @Test func whatSteersATerminalIsLeftOut() {
        let lines = [
            ("10 %\r100 %\r\n", "100 %"), ("\u{1b}[1;31merror\u{1b}[0m: no order\n", "error: no order"),
            ("\u{1b}]0;title\u{7}text\n", "text"), ("a\u{1b}\n", "a"), ("b\u{1b}[12\n", "b"),
            ("\u{1b}(Bplain\n", "plain"),
        ]
        for (line, plain) in lines { #expect(tail(line).breadcrumbs.map(\.message) == [plain], "\(line)") }
    }

    @Test func onlyTheEndIsKept() {
        let many = tail((0..<5000).map { "line \($0)\n" }.joined(), step: 4096).breadcrumbs
        #expect(many.count == 200 && many.last?.message == "line 4999")
        let wide = tail(String(repeating: String(repeating: "x", count: 4000) + "\n", count: 90), step: 4096)
        #expect(wide.breadcrumbs.count == 16)
        let endless = tail(String(repeating: "x", count: 200_000), step: 4096).breadcrumbs
        #expect(endless.map { $0.message?.utf8.count } == [4096])
    }

    @Test(arguments: [
        ("thread 'main' panicked at src/main.rs:4:5:\nno version\nnote: run with", "no version"),
        ("thread 'w' (12) panicked at a.rs:1:1:\nassertion failed\n  left: 1\n right: 2\nother", " right: 2"),
        ("thread 'main' panicked at 'old', a.rs:1:1\nnote: run", "thread 'main' panicked at 'old', a.rs:1:1"),
        ("panic: index out of range\n\ngoroutine 1 [running]:\n", "panic: index out of range"),
        ("shop/order.swift:12: Fatal error: no order\nother", ": Fatal error: no order"),
        ("fatal error: all goroutines are asleep - deadlock!\n", "deadlock!"),
        ("terminate called after throwing an instance of 'E'\n  what():  bad\nx\n", "what():  bad"),
    ])
    func aPanicIsFound(text: String, end: String) {
        for step in [1, 7, 500] {
            let panic = tail("starting\n" + text, step: step).panic
            #expect(panic?.text.hasSuffix(end) == true, "\(String(describing: panic))")
        }
    }

    /// Go lists every goroutine below: the text is kept when its line no longer is.
    @Test func aPanicOutlivesItsLine() {
        let goroutines = (1...900).map { "goroutine \($0) [running]:\nmain.f()\n" }.joined()
        let found = tail("panic: early\n\n" + goroutines, step: 4096)
        #expect(found.panic?.text == "panic: early")
        #expect(found.panic?.hasGoroutines == true)
        #expect(tail("we do not panic: never\n").panic == nil)
    }
}
