// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Grouping

struct NameNormalizerTests {
    struct Name: Sendable, CustomTestStringConvertible {
        var symbol: String?
        var function: String
        var normal: String
        var testDescription: String { function }
    }

    static let names: [Name] = [
        // Swift
        Name(symbol: "$s3app4load1aySi_tF", function: "app.load(a: Swift.Int) -> ()", normal: "app.load(a:)"),
        Name(symbol: "$s3app4loadyyF", function: "app.load() throws -> Swift.Array<Swift.Int>", normal: "app.load()"),
        Name(symbol: "$s3app4load1aySi_tF", function: "load(a:)", normal: "load(a:)"),
        Name(
            symbol: "$s3app1fyyFyycfU_", function: "closure #1 (Swift.Int) -> () in app.f(_: Swift.Int, b: A) -> ()",
            normal: "closure in app.f(_:b:)"),
        Name(
            symbol: "$s3app1fyyFyycfU0_", function: "closure #2 () -> () in closure #1 () -> () in app.f() -> ()",
            normal: "closure in app.f()"),
        Name(
            symbol: "$s3app1fTf4d_n",
            function: "function signature specialization <Arg[0] = Dead> of app.f(x: Swift.Int) -> ()",
            normal: "app.f(x:)"),
        Name(
            symbol: "$s3app1fTg5",
            function: "generic specialization <Swift.Int, Swift.String> of app.f<A, B where A: P>(A, B) -> B",
            normal: "app.f(_:_:)"),
        Name(
            symbol: "$s3app1f33_AALLyyF",
            function: "app.(helper in _0A1B2C3D4E5F60718293A4B5C6D7E8F9)(x: Swift.Int) -> ()",
            normal: "app.helper(x:)"),
        Name(
            symbol: "$s3app1fyyYaFTY1_", function: "(2) suspend resume partial function for app.f() async -> ()",
            normal: "app.f()"),
        Name(
            symbol: "$s3app1fyyYaFTQ0_",
            function: "(1) await resume partial function for closure #1 @Sendable () async -> () in app.f()",
            normal: "closure in app.f()"),
        Name(
            symbol: "$s3app1fTA", function: "partial apply forwarder for closure #1 () -> () in app.f() -> ()",
            normal: "closure in app.f()"),
        Name(
            symbol: "$s3app5inneryyF", function: "inner #1 (x: Swift.Int) -> () in app.outer() -> ()",
            normal: "inner(x:) in app.outer()"),
        Name(symbol: "$s3app1SV1vSivg", function: "app.S.v.getter : Swift.Int", normal: "app.S.v.getter"),
        Name(symbol: "$s3appMain", function: "static app.Main.main() -> ()", normal: "app.Main.main()"),
        Name(
            symbol: "$sSaE", function: "(extension in app):Swift.Array.firstOne() -> A",
            normal: "Swift.Array.firstOne()"),
        Name(
            symbol: "$s3app1PTW",
            function: "protocol witness for app.P.run() -> () in conformance app.S : app.P in app",
            normal: "app.P.run()"),
        Name(
            symbol: "$s3app1loiy", function: "static app.V.< infix(app.V, app.V) -> Swift.Bool",
            normal: "app.V.< infix(_:_:)"),
        // C++
        Name(symbol: "_ZN2ns3FooIiE3barEi", function: "ns::Foo<int>::bar(int) const", normal: "ns::Foo::bar"),
        Name(symbol: "_Z1fIiEvT_", function: "void f<int>(int)", normal: "f"),
        Name(
            symbol: "_ZN12_GLOBAL__N_11fEv", function: "(anonymous namespace)::f(std::function<void ()>)",
            normal: "(anonymous namespace)::f"),
        Name(
            symbol: "_ZZ1fvENKUliE_clEi", function: "f()::{lambda(int)#1}::operator()(int) const",
            normal: "f"),
        Name(symbol: "_ZlsRSoRK1V", function: "operator<<(std::ostream&, V const&)", normal: "operator<<"),
        Name(
            symbol: "_ZNSt7__cxx1112basic_stringIcE6appendEPKc",
            function: "std::__cxx11::basic_string<char, std::char_traits<char> >::append(char const*)",
            normal: "std::basic_string::append"),
        Name(symbol: "_ZN1A1fEv.cold", function: "A::f() [clone .cold]", normal: "A::f"),
        // Rust
        Name(
            symbol: "_ZN3app4load17h0123456789abcdefE", function: "app::load::h0123456789abcdef", normal: "app::load"),
        Name(
            symbol: "_RNvC3app4load", function: "app[1a2b3c4d5e6f7081]::load::<alloc[99aabbccddeeff00]::vec::Vec<u8>>",
            normal: "app::load"),
        Name(
            symbol: "_ZN3app4load28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
            function: "app::load::{{closure}}::h0123456789abcdef", normal: "app::load::{{closure}}"),
        Name(
            symbol: "_RNvX3app", function: "<app::S as app::T>::run::<u8>", normal: "<app::S as app::T>::run"),
        // C, and what compilers append
        Name(symbol: "work.constprop.0.isra.0", function: "work.constprop.0.isra.0", normal: "work"),
        Name(symbol: "work.part.12.cold", function: "work.part.12.cold", normal: "work"),
        Name(symbol: "work.llvm.1234567890", function: "work.llvm.1234567890", normal: "work"),
        Name(symbol: "qsort@GLIBC_2.2.5", function: "qsort@GLIBC_2.2.5", normal: "qsort"),
        Name(symbol: "memcpy@@GLIBC_2.14", function: "memcpy@@GLIBC_2.14", normal: "memcpy"),
        Name(symbol: nil, function: "main", normal: "main"),
    ]

    @Test(arguments: names) func `a name has one normal form`(_ name: Name) {
        #expect(NameNormalizer.normalise(function: name.function, symbol: name.symbol) == name.normal)
    }

    @Test(arguments: names) func `the normal form is stable`(_ name: Name) {
        #expect(NameNormalizer.normalise(function: name.normal, symbol: name.symbol) == name.normal)
    }

    @Test(arguments: [
        "", "<<<<>>>>((((", "))))>>>>", " in ", "(", "closure #", ".cold", "@", "a -> ", "::<", "[clone", "(1) ",
        String(repeating: "<", count: 100_000), String(repeating: "a<(", count: 50_000), "operator", "\u{0}\u{301}",
        "protocol witness for ", "generic specialization <", "(x in _",
        String(repeating: "static ", count: 500) + "e" + String(repeating: "\u{301}", count: 100_000),
    ]) func `hostile names are survived`(_ name: String) {
        for symbol in [nil, "$sx", "_Zx", "_Rx", "x"] {
            let normal = NameNormalizer.normalise(function: name, symbol: symbol)
            #expect(normal.utf8.count <= NameNormalizer.longestName * 2)
        }
    }

    @Test func `hash agrees with the standard's vectors`() {
        #expect(SHA256.hex([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(SHA256.hex(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let long = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
        #expect(SHA256.hex(long) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }

    @Test(arguments: [
        ("*", "", true), ("a*", "abc", true), ("*c", "abc", true), ("a*c*e", "abcde", true), ("a*d", "abc", false),
        ("abc", "abc", true), ("abc", "abcd", false), ("**", "x", true), ("", "", true), ("", "x", false),
    ]) func `globs`(_ pattern: String, _ text: String, _ expected: Bool) {
        #expect(Glob.matches(pattern, text) == expected)
    }

    @Test(arguments: [
        ("index 5 out of range 3", "index 12 out of range 99"), ("open /tmp/a/b failed", "open /var/x/y failed"),
        ("user 0fc1a2b3-0000-1111-2222-333344445555 gone", "user 11111111-aaaa-bbbb-cccc-ddddeeeeffff gone"),
        ("at 0xdeadbeef", "at 0x1234"), ("values 1, 2, 3", "values 4, 5"), ("key \"a b\" missing", "key \"c\" missing"),
    ]) func `messages that differ in values are one`(_ first: String, _ second: String) {
        #expect(MessageTemplate.of(first) == MessageTemplate.of(second))
    }

    @Test func `messages that differ in words are two`() {
        #expect(MessageTemplate.of("cannot open the file") != MessageTemplate.of("cannot close the file"))
    }
}
