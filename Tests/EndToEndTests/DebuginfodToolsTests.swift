// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// The tools of others over the protocol that the service serves, told of it by DEBUGINFOD_URLS alone.
@Suite struct DebuginfodToolsTests {
    private let server: ServerProcess
    private let program: SourceProgram
    /// As it was built.
    private let whole: Data
    private let environment: [String: String]

    /// The program is uploaded with its sources, then stripped, and the sources are gone.
    init() throws {
        server = try ServerProcess()
        // eu-addr2line finds lines by .debug_aranges only, which clang does not write.
        program = try SourceProgram(compiler: "gcc")
        whole = try Data(contentsOf: URL(filePath: program.executable))
        let uploaded = try ChildProcess.run(
            SourceProgram.command,
            [
                "upload", "debug", "--url", server.credentials.url, "--token", server.credentials.adminToken,
                program.executable, "--include-sources", "--source-root", program.root + "/app",
            ])
        #expect(uploaded.status == .exited(0), "\(uploaded.errors)")
        try CompiledProgram.tool("strip", ["-s", program.executable])
        try program.removeSources()
        environment = [
            "DEBUGINFOD_URLS": server.credentials.url.replacing(
                "http://", with: "http://x:\(server.credentials.adminToken)@"),
            "DEBUGINFOD_CACHE_PATH": program.root + "/cache", "HOME": program.root,
        ]
    }

    private func run(_ tool: String, _ arguments: [String], answers: Bool = true) throws -> String {
        let result = try ChildProcess.run(tool, arguments, environment: environment)
        #expect((result.status == .exited(0)) == answers, "\(tool) \(arguments): \(result.output)\(result.errors)")
        return result.output.split(separator: "\n").last.map(String.init) ?? ""
    }

    /// What debuginfod-find left where it says.
    private func found(_ arguments: [String]) throws -> Data {
        try Data(contentsOf: URL(filePath: try run("debuginfod-find", arguments)))
    }

    @Test func debuginfodFindGetsFilesSourcesAndSections() throws {
        let id = program.buildID.description
        #expect(try found(["debuginfo", id]) == whole)
        #expect(try found(["executable", id]) == whole)
        let source = try found(["source", id, program.root + "/app/src/main.c"])
        #expect(String(decoding: source, as: UTF8.self).contains("counted += read_value(part);"))
        _ = try run("debuginfod-find", ["source", id, program.root + "/app/src/none.c"], answers: false)
        _ = try run("debuginfod-find", ["debuginfo", String(repeating: "ab", count: 20)], answers: false)
    }

    /// The tool gets a section by itself where it knows how, and else cuts it out of the file that it asks for.
    @Test func debuginfodFindGetsASection() throws {
        try whole.write(to: URL(filePath: program.root + "/whole"))
        for name in [".debug_line", ".text", ".note.gnu.build-id"] {
            let expected = program.root + "/section"
            try CompiledProgram.tool(
                "objcopy", ["--dump-section", "\(name)=\(expected)", program.root + "/whole", "/dev/null"])
            #expect(
                try found(["section", program.buildID.description, name])
                    == Data(contentsOf: URL(filePath: expected)), "\(name)")
        }
    }

    @Test func addr2lineNamesLinesOfAStrippedProgram() throws {
        try whole.write(to: URL(filePath: program.root + "/whole"))
        let symbols = try CompiledProgram.tool("nm", [program.root + "/whole"])
        let use = try #require(symbols.firstMatch(of: /([0-9a-f]+) T use\n/))
        let line = try run("eu-addr2line", ["-f", "-e", program.executable, "0x\(use.1)"])
        #expect(line.hasSuffix("main.c:5") || line.contains("main.c:5:"), "\(line)")
    }
}
