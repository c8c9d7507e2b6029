// SPDX-License-Identifier: Apache-2.0
import Symbolication
import TestSupport
import Testing

/// Stubs of the procedure linkage table, at every instruction of theirs, as binutils name them.
@Suite struct LinkageStubTests {
    struct Variant: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// What stands before the names of the tools.
        var target = ""
        var flags: [String]
    }

    static let variants = [
        Variant(testDescription: "lazy", flags: ["-no-pie", "-Wl,-z,lazy"]),
        Variant(testDescription: "bound at the start", flags: ["-Wl,-z,now"]),
        Variant(testDescription: "tracked branches", flags: ["-fcf-protection", "-Wl,-z,ibtplt", "-Wl,-z,lazy"]),
        Variant(testDescription: "lld", flags: ["-fuse-ld=lld"]),
        Variant(testDescription: "arm64", target: "aarch64-linux-gnu-", flags: ["-Wl,-z,lazy"]),
        Variant(testDescription: "arm64 at the start", target: "aarch64-linux-gnu-", flags: ["-Wl,-z,now"]),
    ]

    @Test(arguments: variants) func areNamedByWhatTheyLeadTo(variant: Variant) throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "prog", source: SamplePrograms.c, extension: "c",
            compiler: variant.flags.contains("-fuse-ld=lld") ? "clang" : variant.target + "gcc",
            flags: ["-O2"] + variant.flags, in: folder)
        let file = try DebugFile(path: program)
        let listing = try CompiledProgram.tool(
            variant.target + "objdump",
            ["-d", "--no-show-raw-insn", "-j", ".plt", "-j", ".plt.sec", "-j", ".plt.got", program])
        var expected: String?
        var named: Set<String> = []
        for line in listing.split(separator: "\n") {
            if let label = line.firstMatch(of: /^[0-9a-f]+ <(.*)>:$/) {
                expected = label.1.hasSuffix("@plt") ? String(label.1) : nil
            } else if let place = line.firstMatch(of: /^ +([0-9a-f]+):\t(?!nop)/), let name = expected,
                let address = UInt64(place.1, radix: 16)
            {
                #expect(file.lookup(address: address).map(\.function) == [name], "at \(line)")
                named.insert(name)
            }
        }
        #expect(named.isSuperset(of: ["malloc@plt", "qsort@plt"]), "\(listing)")
        // The linker's own code before the stubs, and what is in no section at all.
        #expect(file.lookup(address: 0).isEmpty && file.lookup(address: .max).isEmpty)
    }
}
