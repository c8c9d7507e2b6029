// SPDX-License-Identifier: Apache-2.0
#if arch(x86_64)
    import CrashRecord
    import FoundationEssentials
    import Glibc
    import TestSupport
    import Testing
    import VakaModel

    /// Non-canonical addresses, which the processor does not tell: worked out from the instruction.
    @Suite struct AccessTests {
        private static let base: UInt64 = 0x1234_5678_0000_0100

        struct Case: Sendable, CustomTestStringConvertible {
            var way: String
            var offset: UInt64?
            var access: FaultAccess
            var testDescription: String { way }

            init(_ way: String, _ offset: UInt64?, _ access: FaultAccess) {
                self.way = way
                self.offset = offset
                self.access = access
            }
        }

        static let cases = [
            Case("load", 8, .read), Case("store-byte", 16, .write), Case("indexed", 32, .read),
            Case("extended", 0 &- 128, .write), Case("far", 0x1000, .write), Case("compare", 0, .read),
            Case("locked", 0, .write), Case("exchange", 0, .write), Case("extend", 0, .read),
            Case("sse-load", 0, .read), Case("sse-store", 0, .write), Case("sse-scalar", 32, .read),
            Case("string-copy", 0, .read), Case("string-fill", 0, .write), Case("push", 0, .read),
            Case("call-register", 0, .execute), Case("jump-memory", 0, .execute), Case("call-memory", 24, .read),
            Case("return", 0, .execute), Case("x87", 0, .write), Case("pop", 0, .read),
            Case("thread-local", nil, .read),
        ]
        static let vectorCases = [
            Case("avx-load", 0, .read), Case("avx-store", 64, .write), Case("avx-indexed", 32, .read),
        ]

        @Test(arguments: cases) func operandIsFound(_ expected: Case) throws { try check(expected) }

        @Test(.enabled(if: hasAVX2), arguments: vectorCases) func vectorOperandIsFound(_ expected: Case) throws {
            try check(expected)
        }

        private static let hasAVX2 =
            (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.contains(" avx2") == true

        private func check(_ expected: Case) throws {
            let reason = try #require(
                try Captured.preloaded(try TestPrograms.accesses(), [expected.way]).record().event().reason)
            #expect(reason.code == "SI_KERNEL")
            #expect(reason.access == expected.access)
            #expect(reason.kind == nil)
            let address = try #require(reason.faultAddress)
            if let offset = expected.offset { #expect(address == HexAddress(Self.base &+ offset)) }
        }
    }
#endif
