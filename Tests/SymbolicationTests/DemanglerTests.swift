// SPDX-License-Identifier: Apache-2.0
import Symbolication
import TestSupport
import Testing

@Suite struct DemanglerTests {
    @Test(arguments: [
        ("$s4main3fooyS2iF", "foo(_:)"),
        ("$s6output4deepyS2iYaFTY0_", "deep(_:)"),
        ("_$s4main3fooyS2iF", "foo(_:)"),
        (
            "$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_SSAHSus6UInt32VtF",
            "_assertionFailure(_:_:file:line:flags:)"
        ),
        ("$sSDyq_SgxcigSS_SiTg5", "specialized Dictionary.subscript.getter"),
        (
            "$s11SwiftSyntax014IfConfigClauseB0V8elementsAC8ElementsOSgvM.resume.0",
            "IfConfigClauseSyntax.elements.modify (.resume.0)"
        ),
        ("$s4main3fooyS2iF.llvm.123456", "foo(_:)"),
        ("_ZN3foo3barIiEEvT_", "void foo::bar<int>(int)"),
        ("_ZNKSt6vectorIiSaIiEE2atEm", "std::vector<int, std::allocator<int>>::at(unsigned long) const"),
        ("_Z4failv.cold", "fail() (.cold)"),
        ("_ZZ4mainENKUlvE_clEv", "main::'lambda'()::operator()() const"),
        ("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"),
        ("_ZN4core3fmt5write17h0123456789abcdefE.llvm.99", "core::fmt::write"),
        (
            "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE",
            "<Test + 'static as foo::Bar<Test>>::bar"
        ),
        (
            "_ZN9hashbrown3raw21RawTable$LT$T$C$A$GT$14reserve_rehash17h7788f8b7a1f3ce04E",
            "hashbrown::raw::RawTable<T,A>::reserve_rehash"
        ),
        ("main", "main"), ("", ""), ("_Z", "_Z"), ("_R", "_R"), ("$s", "$s"), ("_ZN", "_ZN"), ("_ZN3fooE", "foo"),
    ])
    func known(symbol: String, readable: String) {
        #expect(Demangler.readable(symbol) == readable)
    }

    /// From RFC 2603 and the mangling's reference.
    @Test(arguments: [
        ("_RNvC6_123foo3bar", "123foo::bar"),
        ("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"),
        ("_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_", "cc::spawn::{closure#0}::{closure#0}"),
        ("_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>"),
        ("_RNvMNtCs1_7mycrate3fooINtB2_3BaryE3new", "<mycrate::foo::Bar<u64>>::new"),
        (
            "_RNvXNtC7mycrate3fooTNtB2_1TlENtNtC3std5clone5Clone5clone",
            "<(mycrate::foo::T, i32) as std::clone::Clone>::clone"
        ),
        ("_RNvYNtC1a1SNtC1b1T1f", "<a::S as b::T>::f"),
        ("_RINvC1a1fRLerOhPSbE", nil),
        ("_RINvC1a1fRhQmPSbOAt3_E", nil),
        ("_RINvC1a1fFUKCRhEuE", "a::f::<unsafe extern \"C\" fn(&u8)>"),
        ("_RINvC1a1fFG_RL0_hEBw_E", nil),
        ("_RINvC1a1fFG_RL0_hERL0_hE", nil),
        ("_RINvC1a1fDNtC1b1TEL_E", "a::f::<dyn b::T>"),
        ("_RINvC1a1fDNtNtC4core4iter8Iteratorp4ItemhEL_E", "a::f::<dyn core::iter::Iterator<Item = u8>>"),
        ("_RINvC1a1fDINtC1b1ThEp4ItemmEL_E", "a::f::<dyn b::T<u8, Item = u32>>"),
        ("_RINvC1a1fKj1f_E", "a::f::<31>"), ("_RINvC1a1fKln2a_E", "a::f::<-42>"),
        ("_RINvC1a1fKb1_Kc41_KpE", "a::f::<true, 'A', _>"),
        ("_RINvC1a1fAhj4_E", "a::f::<[u8; 4]>"), ("_RINvC1a1fTEThETbhEE", "a::f::<(), (u8,), (bool, u8)>"),
        ("_RINvC1a1fShREOuE", nil),
        ("_RNSNvC1a1f6vtable", "a::f::{shim:vtable#0}"),
        ("_RNvC1au8gdel_5qa", nil), ("_RNvC1au9gdel_5qa", nil),
        ("_RNvNtNtNtCs1_6_core_ab3fmt3num3imp", nil),
        (
            "_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
            "utf8_idents::საჭმელად_გემრიელი_სადილი"
        ),
        ("_RNvB_1a", nil), ("_RNvC1a", nil), ("_RNvC1a1bB9_", nil), ("_RNvC9999999999999999999a1b", nil),
    ])
    func rust(symbol: String, readable: String?) {
        if let readable {
            #expect(Demangler.readable(symbol) == readable)
        } else {
            // Malformed: it stays as it is, or at least ends.
            #expect(!Demangler.readable(symbol).isEmpty)
        }
    }

    /// Against LLVM's demangler, over the names of a real program with Rust's standard library in it.
    @Test func rustNamesOfARealProgram() throws {
        guard try ChildProcess.run("which", ["rustc"]).status == .exited(0) else { return }
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "names", source: SamplePrograms.rust, extension: "rs", compiler: "rustc",
            flags: ["-Csymbol-mangling-version=v0", "-Zunstable-options", "-g"], in: folder)
        let reference = try Self.reference(program)
        // What LLVM appends to names of data says nothing.
        let names = reference.keys.filter { $0.hasPrefix("_R") && !$0.contains(".") }.sorted()
        #expect(names.count > 300)
        let different = names.filter { name in
            reference[name].map { Demangler.readable(name) != $0 } ?? true
        }
        #expect(
            different.isEmpty,
            "\(different.count) of \(names.count): \(different.prefix(5).map { ($0, Demangler.readable($0), reference[$0]) })"
        )
    }

    /// Against LLVM's demangler, which has its own mind about `operator< <`, `nullptr_t` and what lambdas return.
    @Test func cxxNamesOfARealProgram() throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "names", source: SamplePrograms.cxx, extension: "cc", compiler: "g++", flags: ["-O1", "-DLARGE"], in: folder
        )
        let reference = try Self.reference(program)
        let names = reference.keys.filter { $0.hasPrefix("_Z") && !$0.contains("@") }.sorted()
        #expect(names.count > 200)
        // Where LLVM gives up, we may not.
        let different = names.filter { reference[$0] != $0 && Demangler.readable($0) != reference[$0] }
        #expect(
            different.count * 100 <= names.count * 3,
            "\(different.count) of \(names.count): \(different.prefix(5).map { ($0, Demangler.readable($0), reference[$0]) })"
        )
    }

    /// The names of a program's symbols as the toolchain's `llvm-nm` reads them.
    private static func reference(_ program: String) throws -> [String: String] {
        let nm = try #require(ReferenceSymbolizer.path).replacing("llvm-symbolizer", with: "llvm-nm")
        let options = ["-p", "--format=just-symbols", program]
        let pairs = try zip(
            CompiledProgram.tool(nm, options).split(separator: "\n"),
            CompiledProgram.tool(nm, ["-C"] + options).split(separator: "\n"))
        return Dictionary(pairs.map { (String($0), String($1)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Names that expand without end, nest without end or are cut stay as they are, at once.
    @Test func hostileNamesAreGivenUp() {
        var doubling = "_Z1fSt4pairIiiE"
        for level in 0..<40 {
            let last = level == 0 ? "S0_" : "S" + String(level, radix: 36).uppercased() + "_"
            doubling += "S_I\(last)\(last)E"
        }
        var backReferences = "_RIC1aTmmE"
        for _ in 0..<60 { backReferences += "TB\(backReferences.utf8.count % 36)_B2_E" }
        let names = [
            doubling, backReferences, "_R" + String(repeating: "NvC1a", count: 2000), "_RMC1aB1_", "_RINvC1aB0_E",
            "_ZN" + String(repeating: "1a", count: 3000) + "E", "$s" + String(repeating: "A", count: 7000),
            "_Z" + String(repeating: "N", count: 8000), "_Z1f" + String(repeating: "P", count: 8000) + "i",
            "_R" + String(repeating: "I", count: 8000), "_RNvC1a" + String(repeating: "9", count: 30),
        ]
        for name in names {
            let started = ContinuousClock.now
            #expect(Demangler.readable(name).utf8.count <= 32768)
            #expect(ContinuousClock.now - started < .seconds(2), "\(name.prefix(60))")
        }
    }

    @Test func mutatedNamesAreAnswered() {
        let seeds = [
            "_RNvXNtC7mycrate3fooTNtB2_1TlENtNtC3std5clone5Clone5clone", "_RINvC1a1fDINtC1b1ThEp4ItemmEL_E",
            "_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y", "_ZN3foo3barIiEEvT_",
            "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE",
            "$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_SSAHSus6UInt32VtF",
        ]
        var random = SeededRandom(seed: 3)
        for _ in 0..<3000 {
            var bytes = Array((seeds.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 2..<bytes.count, using: &random)] = UInt8.random(in: 0x24...0x7A, using: &random)
            }
            bytes.removeLast(Int.random(in: 0...3, using: &random))
            #expect(!Demangler.readable(String(decoding: bytes, as: UTF8.self)).isEmpty)
        }
    }
}
