// SPDX-License-Identifier: Apache-2.0
import Testing
import VakaModel

@testable import Grouping

struct GroupingTests {
    private func key(_ event: Event, _ kind: GroupingKey.Kind) -> String? {
        Grouping.group(event).keys.first { $0.kind == kind }?.value
    }

    @Test func `the same crash at other addresses is the same group`() {
        let first = [Sample.own("b", 0x10), Sample.own("a", 0x20)] + Sample.base
        let second =
            [Sample.own("b", 0x10, base: 0x6666_0000_0000), Sample.own("a", 0x20, base: 0x6666_0000_0000)] + Sample.base
        #expect(Grouping.group(Sample.crash(first)).keys == Grouping.group(Sample.crash(second)).keys)
    }

    /// One character may have any number of scalars.
    @Test func `titles are bounded whatever a sender says`() {
        let long = "e" + String(repeating: "\u{301}", count: 100_000)
        var handled = Sample.crash([Sample.own(long, 0x10)], message: long)
        var events = [handled]
        handled.type = .error
        handled.errors = [ReportedError(type: long, message: long, frames: [Sample.own(long, 0x10)])]
        events.append(handled)
        for event in events {
            let result = Grouping.group(event)
            #expect(result.title.unicodeScalars.count <= Grouping.longestTitle + 1)
            #expect((result.culprit?.unicodeScalars.count ?? 0) <= Grouping.longestTitle + 1)
        }
    }

    @Test func `a rebuild keeps the functions' key and changes the addresses' key`() {
        let rebuilt = BuildID(hex: "bb")
        let first = Sample.crash([Sample.own("b", 0x10), Sample.own("a", 0x20)])
        let second = Sample.crash([Sample.own("b", 0x14, build: rebuilt), Sample.own("a", 0x28, build: rebuilt)])
        #expect(key(first, .functions) == key(second, .functions))
        #expect(key(first, .addresses) != key(second, .addresses))
    }

    @Test func `before and after symbols the addresses' key is the same`() {
        let before = Sample.crash([Sample.own(nil, 0x10), Sample.own(nil, 0x20)] + Sample.base)
        let inline = Sample.own("small", 0x10, inlined: true)
        let after = Sample.crash([inline, Sample.own("b", 0x10), Sample.own("a", 0x20)] + Sample.base)
        #expect(key(before, .addresses) != nil)
        #expect(key(before, .addresses) == key(after, .addresses))
        #expect(key(before, .functions) != key(after, .functions))
        #expect(Grouping.group(before).provisional)
        #expect(!Grouping.group(after).provisional)
    }

    @Test func `a signal that another process sent blames no code`() {
        func sent(by name: String, to frames: [Frame]) -> GroupingResult {
            var event = Sample.crash(frames)
            event.reason?.senderPID = 7
            event.reason?.senderName = name
            return Grouping.group(event)
        }
        let here = [Sample.own("b", 0x10), Sample.own("a", 0x20)] + Sample.base
        let there = [Sample.own("c", 0x30)] + Sample.base
        let result = sent(by: "overseer", to: here)
        #expect(result.keys == sent(by: "overseer", to: there).keys)
        #expect(result.keys != sent(by: "other", to: here).keys)
        #expect(result.keys != Grouping.group(Sample.crash(here)).keys)
        #expect(result.title == "SIGSEGV sent by overseer")
        #expect(result.culprit == nil)
        #expect(!result.provisional)
        #expect(result.explain.allSatisfy { !$0.kept })
    }

    @Test func `the block that ends the program is cut`() {
        let abort = [
            Sample.system("__pthread_kill_implementation", 1), Sample.system("raise", 2), Sample.system("abort", 3),
            Sample.system("__libc_message", 4), Sample.system("malloc_printerr", 5), Sample.system("_int_free", 6),
            Sample.system("free", 7),
        ]
        let event = Sample.crash(
            abort + [Sample.own("release", 0x10), Sample.own("main", 0x20)] + Sample.base, signal: "SIGABRT")
        let result = Grouping.group(event)
        #expect(result.keys[0].material == ["crash", "release"])
        #expect(result.title == "Aborted in release")
        #expect(result.explain.filter(\.kept).map(\.function) == ["release"])
        #expect(result.explain.count == event.threads[0].frames.count)
    }

    @Test func `a nameless frame inside the abort block does not stop the cut`() {
        let frames = [
            Sample.system("raise", 2), Sample.system(nil, 0x55), Sample.system("abort", 3), Sample.own("f", 0x10),
        ]
        #expect(Grouping.group(Sample.crash(frames)).keys[0].material == ["crash", "f"])
    }

    @Test func `Swift's trap names the reason, the function around it decides`() {
        let trap = Sample.own("Swift runtime failure: Index out of range", 0x10, inlined: true)
        let subscripted = Sample.own(
            "Swift.Array.subscript.getter : (Swift.Int) -> A", 0x10, symbol: "$sSayxSicig", inlined: true)
        let user = Sample.own("app.pick(at: Swift.Int) -> Swift.Int", 0x10, symbol: "$s3app4pick2atS2i_tF", line: 12)
        let event = Sample.crash(
            [trap, subscripted, user] + Sample.base, signal: "SIGILL", message: "Index out of range")
        let result = Grouping.group(event)
        #expect(result.title == "Index out of range in app.pick(at:)")
        #expect(result.culprit == "app.pick(at:) (main.swift:12)")
        #expect(result.keys[0].material == ["crash", "app.pick(at:)"])
    }

    @Test func `recursion of any depth is one group`() {
        let shallow = (0..<6).flatMap { _ in [Sample.own("walk", 0x10), Sample.own("visit", 0x20)] }
        let deep = (0..<900).flatMap { _ in [Sample.own("walk", 0x10), Sample.own("visit", 0x20)] }
        #expect(key(Sample.crash(shallow), .functions) == key(Sample.crash(deep), .functions))
        #expect(Grouping.group(Sample.crash(deep)).explain.count == StackChoice.mostExplained)
    }

    @Test func `frames below the thread's base change nothing`() {
        let frames = [Sample.own("f", 0x10), Sample.system("start_thread", 0x100), Sample.system("clone3", 0x200)]
        let more = frames + [Sample.own("garbage", 0x999), Sample.system("other", 0x300)]
        #expect(key(Sample.crash(frames), .functions) == key(Sample.crash(more), .functions))
    }

    @Test func `system-only stacks do not fall into one group`() {
        let first = Sample.crash([Sample.system("strlen", 1), Sample.system("vfprintf", 2), Sample.system("printf", 3)])
        let second = Sample.crash([Sample.system("memcpy", 4), Sample.system("fread", 5)])
        #expect(key(first, .functions) != nil)
        #expect(key(first, .functions) != key(second, .functions))
        #expect(key(first, .addresses) == nil, "a stack inside system libraries says nothing about who called them")
    }

    @Test func `no usable frame leaves signal and reason`() {
        let nowhere = Frame(instructionAddress: HexAddress(0), trust: .context, status: .noModule)
        let first = Grouping.group(Sample.crash([nowhere]))
        let second = Grouping.group(Sample.crash([], signal: "SIGBUS"))
        #expect(first.keys.map(\.kind) == [.message])
        #expect(first.keys != second.keys)
    }

    @Test func `guessed frames decide nothing`() {
        var guess = Sample.own("stale", 0x500)
        guess.trust = .scan
        #expect(
            key(Sample.crash([Sample.own("f", 0x10), guess, Sample.own("main", 0x20)]), .functions)
                == key(Sample.crash([Sample.own("f", 0x10), Sample.own("main", 0x20)]), .functions))
    }

    @Test func `different functions are different groups`() {
        let first = Sample.crash([Sample.own("f", 0x10), Sample.own("main", 0x20)])
        let second = Sample.crash([Sample.own("g", 0x30), Sample.own("main", 0x20)])
        #expect(Grouping.group(first).keys.allSatisfy { !Grouping.group(second).keys.contains($0) })
    }

    @Test func `a client's fingerprint wins and can extend the default`() {
        var event = Sample.crash([Sample.own("f", 0x10)])
        var other = Sample.crash([Sample.own("g", 0x30)])
        event.fingerprint = ["billing"]
        other.fingerprint = ["billing"]
        #expect(Grouping.group(event).keys == Grouping.group(other).keys)
        #expect(Grouping.group(event).keys.map(\.kind) == [.client])
        event.fingerprint = ["{{ default }}", "tenant"]
        other.fingerprint = ["{{ default }}", "tenant"]
        #expect(Grouping.group(event).keys != Grouping.group(other).keys)
    }

    @Test func `messages are grouped by their words`() {
        var first = Event(eventID: "0", type: .message, timestamp: .now, level: .info)
        first.errors = [ReportedError(type: "message", message: "took 12 ms")]
        var second = first
        second.errors = [ReportedError(type: "message", message: "took 99 ms")]
        var third = first
        third.errors = [ReportedError(type: "message", message: "gave up")]
        #expect(Grouping.group(first).keys == Grouping.group(second).keys)
        #expect(Grouping.group(first).keys != Grouping.group(third).keys)
        #expect(Grouping.group(first).title == "took 12 ms")
    }

    @Test func `a null call is said in words`() {
        var event = Sample.crash([Frame(instructionAddress: HexAddress(0), trust: .context), Sample.own("f", 0x10)])
        event.reason?.faultAddress = HexAddress(0)
        event.threads[0].registers = ["rip": HexAddress(0)]
        #expect(Grouping.group(event).title == "Call through a null pointer in f")
        event.threads[0].registers = ["rip": HexAddress(0x5555_0000_0010)]
        #expect(Grouping.group(event).title == "Access through a null pointer in f")
    }

    @Test(
        arguments: [
            ("$sSDyq_Sgxcig", "Swift"), ("$sSa3appE5firstyyF", "app"), ("$ss5printyyypd_tF", "Swift"),
            ("$s3app1fyyF", "app"),
            ("$s10Foundation4DataV", "Foundation"), ("$sScTss5NeverORszABRs_rlE", "_Concurrency"),
            ("$sIegh_IeyBh_TR", nil),
            ("$sSo7NSArrayC", nil), ("main", nil), ("$s", nil), ("$s999999999999999999999a", nil), ("$s5ab", nil),
            ("$sS", nil),
        ] as [(String, String?)]) func `a Swift symbol tells its module`(_ symbol: String, _ module: String?)
    {
        #expect(SwiftSymbolModule.of(symbol) == module)
    }

    @Test func `the standard library's inlined code is not the app's`() {
        let frames = [
            Sample.own("specialized Dictionary.subscript.getter", 0x10, symbol: "$sSDyq_SgxcigSS_SiTg5", inlined: true),
            Sample.own("limit(of:in:)", 0x10, symbol: "$s3app5limit2of2inSiSS_tF"), Sample.own("main", 0x40),
        ]
        let result = Grouping.group(Sample.crash(frames))
        #expect(result.keys[0].material == ["crash", "limit(of:in:)"])
    }

    @Test func `a program's names that look like a runtime's are its own`() {
        let names = [
            "dispatch_message", "rust_panic_handler_test", "free_list", "abort_all", "core::Engine::run", "swift_parse",
        ]
        for name in names {
            let event = Sample.crash([Sample.own(name, 0x10), Sample.own("main", 0x20)])
            #expect(Grouping.group(event).keys[0].material == ["crash", name], "\(name)")
        }
        let rust = Sample.own("rust_panic::parse", 0x10, symbol: "_ZN10rust_panic5parse17had18ab0d14552d09E")
        #expect(Grouping.group(Sample.crash([rust])).keys[0].material == ["crash", "rust_panic::parse"])
    }

    @Test func `a Rust panic leads to the code that panicked`() {
        let frames = [
            Sample.system("abort", 1),
            Sample.own("std::process::abort", 1, symbol: "_RNvCs_3std7process5abort"),
            Sample.own("__rustc::rust_panic", 2, symbol: "_RNvCs_7___rustc10rust_panic"),
            Sample.own("core::panicking::panic_display::<&str>", 3, symbol: "_RINvCs_4core9panicking"),
            Sample.own(
                "core::option::Option<T>::expect", 4,
                symbol: "_ZN4core6option15Option$LT$T$GT$6expect17h37db028a7be873b0E"),
            Sample.own("app::parse_version", 5, symbol: "_ZN3app13parse_version17had18ab0d14552d09E"),
            Sample.own("app::main", 6, symbol: "_ZN3app4main17h13f2774a09759d8aE"),
            Sample.own(
                "std::sys::backtrace::__rust_begin_short_backtrace", 7,
                symbol: "_ZN3std3sys9backtrace28__rust_begin_short_backtrace17h70aa88ffeb714e80E"),
            Sample.own("main", 8),
        ]
        let result = Grouping.group(Sample.crash(frames, signal: "SIGABRT"))
        #expect(result.keys[0].material == ["crash", "app::parse_version"])
    }

    @Test func `the addresses' key does not depend on the system library above`() {
        let first = Sample.crash([Sample.system("abort", 1), Sample.own("f", 0x10), Sample.own("main", 0x20)])
        let second = Sample.crash([
            Sample.system("raise", 9), Sample.system("abort", 8), Sample.own("f", 0x10), Sample.own("main", 0x20),
        ])
        #expect(key(first, .addresses) == key(second, .addresses))
    }

    @Test(arguments: [
        ("app/main.swift:7: Fatal error: no port", "Fatal error: no port"),
        ("app: c/app.c:16: parse: Assertion `a == b' failed.", "Assertion `a == b' failed."),
        (
            "Could not cast value of type 'A' (0x7f4c6fdd7ca0) to 'B' (0x7f).",
            "Could not cast value of type 'A' to 'B'."
        ),
        ("a plain word (0xyz)", "a plain word (0xyz)"),
    ]) func `titles leave out places and addresses`(_ message: String, _ words: String) {
        #expect(ReasonWords.of(Sample.crash([], message: message)) == words)
    }

    @Test func `a stack overflow is called one`() {
        var event = Sample.crash((0..<100).map { _ in Sample.own("walk", 0x10) })
        event.reason?.faultAddress = HexAddress(0x7fff_0000_0ff8)
        event.threads[0].registers = ["rsp": HexAddress(0x7fff_0000_1000)]
        #expect(Grouping.group(event).title == "Stack overflow in walk")
    }

    @Test func `stacks cut short inside a system library are kept apart by what else is known`() {
        var first = Sample.crash([Sample.system(nil, 0x8aeec)], signal: "SIGABRT", message: "free(): invalid pointer")
        first.contexts = ["process": ["name": "alpha"]]
        var second = first
        second.reason?.message = "double free or corruption (out)"
        var third = first
        third.contexts = ["process": ["name": "beta"]]
        let keys = [first, second, third].map { Grouping.group($0).keys[0].value }
        #expect(Set(keys).count == 3)
        #expect(Grouping.group(first).basis == .remnants)
    }

    @Test func `the main function counts where nothing else does`() {
        let only = Grouping.group(Sample.crash([Sample.system("strlen", 1), Sample.own("main", 0x20)] + Sample.base))
        #expect(only.keys[0].material == ["crash", "main"])
        // A tail call takes it away.
        let called = Sample.crash([Sample.own("f", 0x10), Sample.own("main", 0x20)] + Sample.base)
        #expect(key(called, .functions) == key(Sample.crash([Sample.own("f", 0x10)] + Sample.base), .functions))
        let names = [
            ("app.Program.$main()", "$s3app7ProgramO5$mainyyFZ"), ("app.Program.main()", "$s3app7ProgramO4mainyyYaFZ"),
        ]
        for (name, symbol) in names {
            let swift = Sample.crash([Sample.own("f", 0x10), Sample.own(name, 0x20, symbol: symbol)])
            #expect(key(swift, .functions) == key(called, .functions), "\(name)")
        }
    }

    @Test func `an endless recursion is one group wherever it ends`() {
        func overflow(_ head: [String]) -> GroupingResult {
            let cycle = (0..<50).flatMap { _ in ["odd", "even", "visit"] }
            var event = Sample.crash((head + cycle).enumerated().map { Sample.own($1, UInt64($0)) })
            event.reason?.kind = .stackOverflow
            return Grouping.group(event)
        }
        let result = overflow(["format", "odd"])
        #expect(result.keys[0].material == ["crash", "even", "odd", "visit"])
        #expect(result.keys[0] == overflow(["even", "visit"]).keys[0])
        #expect(result.keys[0] == overflow(["visit"]).keys[0])
        #expect(result.explain[0].kept == false && result.explain[0].why == "is no part of the recursion")
        #expect(result.title == "Stack overflow in even")
    }

    /// A runtime that is linked into the program panics at the same addresses, whoever called it.
    @Test func `a runtime's addresses join no two problems`() {
        func panic(from function: String?, _ offset: UInt64) -> Event {
            let runtime = (1..<12).map { number in
                let symbol = "_RNvNtCs_4core9panicking5panic"
                return Sample.own(function.map { _ in "core::panicking::panic" }, UInt64(number), symbol: symbol)
            }
            let symbol = function.map { "_RNvCs_3app\($0.count)\($0)" }
            return Sample.crash(
                [Sample.system("abort", 1)] + runtime + [
                    Sample.own(function.map { "app::\($0)" }, offset, symbol: symbol)
                ],
                signal: "SIGABRT")
        }
        #expect(key(panic(from: nil, 0x100), .addresses) != key(panic(from: nil, 0x200), .addresses))
        #expect(key(panic(from: "parse", 0x100), .addresses) == key(panic(from: nil, 0x100), .addresses))
        var fault = panic(from: "parse", 0x100)
        fault.reason?.signal = "SIGSEGV"
        #expect(key(fault, .addresses) == nil)
    }
}
