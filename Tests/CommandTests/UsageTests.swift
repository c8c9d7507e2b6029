// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing

@Suite struct UsageTests {
    private static let subcommands = [
        "symbolicate", "lookup", "check", "inspect", "serve", "upload", "submit", "run", "collect", "doctor", "group",
        "observe", "act", "completions",
    ]

    @Test func theOverviewListsEverySubcommand() throws {
        let help = try vaka("--help")
        #expect(help.status == .exited(0))
        for subcommand in Self.subcommands { #expect(help.output.contains("  \(subcommand) ")) }
    }

    @Test(arguments: subcommands)
    func everySubcommandTeaches(subcommand: String) throws {
        let help = try vaka(subcommand, "--help")
        #expect(help.status == .exited(0))
        #expect(help.output.contains("usage: vaka \(subcommand)"))
        #expect(help.output.contains("--help"))
        #expect(help.errors.isEmpty)
    }

    @Test(arguments: [
        [], ["frobnicate"], ["symbolicate"], ["symbolicate", "--frobnicate", "x"], ["inspect"], ["upload"],
        ["upload", "debug"], ["submit"], ["run"], ["lookup", "0x1"], ["lookup", "--debug-file"], ["group", "explain"],
        ["check"],
        ["symbolicate", "--format", "xml", "/dev/null"], ["completions", "tcsh"],
    ])
    func wrongUsageIsStatusTwoWithTheNextStep(arguments: [String]) throws {
        let result = try ChildProcess.run(BuildProducts.executable("vaka"), arguments)
        #expect(result.status == .exited(2), "\(arguments)")
        #expect(result.errors.hasPrefix("vaka: "))
        #expect(result.output.isEmpty)
    }

    @Test func submitNamesWhatIsMissing() throws {
        let result = try vaka("submit", "/tmp", environment: ["VAKA_URL": nil, "VAKA_KEY": nil])
        #expect(result.status == .exited(2))
        #expect(result.errors.contains("--url") && result.errors.contains("VAKA_URL"))
    }

    /// It must not become a storage folder, in which nothing waits.
    @Test func aFolderOfLooseRecordsIsNoStorageFolder() throws {
        let folder = try TemporaryFolder()
        let record = try folder.file("a.vakacrash", SampleRecord.bytes())
        let result = try vaka("submit", folder.path, "--url", "http://127.0.0.1:9", "--key", "vk_x")
        #expect(result.status == .exited(1))
        #expect(result.errors.contains("is no storage folder"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names == [String(record.split(separator: "/").last ?? "")])
    }

    /// What follows -- is an argument, whatever it looks like.
    @Test func twoDashesEndTheOptions() throws {
        let result = try vaka("inspect", "--", "--format")
        #expect(result.status == .exited(1))
        #expect(result.errors.contains("--format: cannot be read: No such file or directory"))
    }

    /// No network library is loaded by what works offline.
    @Test func theCommandLinksNoNetworkLibrary() throws {
        let result = try ChildProcess.run("ldd", [BuildProducts.executable("vaka")])
        #expect(result.output.contains("libdw"))
        for library in ["libcurl", "libFoundationNetworking", "libmicrohttpd", "libsqlite3"] {
            #expect(!result.output.contains(library))
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionsNameEverySubcommand(shell: String) throws {
        let result = try vaka("completions", shell)
        for subcommand in Self.subcommands { #expect(result.output.contains(subcommand)) }
    }

    /// docs/command.md is what --help says; `make docs` writes it.
    @Test func theDocumentationSaysWhatHelpSays() throws {
        let made = try ChildProcess.run(
            BuildProducts.root + "/scripts/command-page.sh", [BuildProducts.executable("vaka")])
        let page = try String(contentsOf: URL(filePath: BuildProducts.root + "/docs/command.md"), encoding: .utf8)
        #expect(made.status == .exited(0))
        #expect(made.output == page, "docs/command.md is out of date: make docs")
    }
}
