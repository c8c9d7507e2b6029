// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// A record of a build that was replaced meanwhile: another program's names would be worse than none.
@Suite struct OtherBuildTests {
    @Test func theFileAtTheRecordedPathIsAnotherBuild() throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/program"
        func install(_ name: String) throws {
            // Under another name first: nothing that runs is written to.
            try CompiledProgram.copy(BuildProducts.crasher(name), to: program + ".new")
            _ = rename(program + ".new", program)
        }
        try install("null-write")
        let crash = try ChildProcess.run(
            program, [],
            environment: ["LD_PRELOAD": BuildProducts.preloadLibrary, "VAKA_STORAGE": folder.path + "/state"])
        #expect(crash.status == .signalled(SIGSEGV))
        try install("qsort-abort")
        let record = try #require(folder.entries("state/crashes").first { $0.hasSuffix(".vakacrash") })
        let path = folder.path + "/state/crashes/" + record

        let blind = try symbolicated([path])
        let image = try #require(blind.debugImages.first { $0.codeFile == program })
        #expect(image.status == .mismatched || image.status == .missing)
        let own = blind.threads.flatMap(\.frames).filter { $0.module == "program" }
        #expect(!own.isEmpty && own.allSatisfy { $0.function == nil && $0.file == nil }, "\(own)")

        let right = try symbolicated(["--symbols", BuildProducts.crasher("null-write"), path])
        #expect(right.crashedThread?.frames.first?.function == "book_order")
    }

    private func symbolicated(_ arguments: [String]) throws -> Event {
        let result = try ChildProcess.run(RunSetup.command, ["symbolicate", "--format", "json"] + arguments)
        return try ModelCoding.decode(Event.self, from: result.outputData)
    }
}
