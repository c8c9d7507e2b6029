// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// `vaka run` on a terminal: the program finds one too, and a shell's job control works.
@Suite struct RunTerminalTests {
    private let setup: RunSetup

    init() throws { setup = try RunSetup() }

    /// Runs a command on a terminal and types; each step is a text to wait for and what to type then.
    private func onTerminal(_ command: [String], _ steps: [[String]] = []) throws -> ChildProcess.Result {
        let script = String(decoding: try ModelCoding.encode(steps), as: UTF8.self)
        return try ChildProcess.run(
            "/usr/bin/env", ["python3", BuildProducts.root + "/Tests/Support/terminal.py", script] + command,
            environment: RunSetup.environment, seconds: 180)
    }

    @Test func theProgramFindsATerminalAndItsLastLinesAreKept() throws {
        let script = """
            [ -t 2 ] && echo terminal; stty -F /dev/stderr size
            printf '1%%\\r99%%\\r\\033[31mred\\033[0m word\\n' >&2; kill -SEGV $$
            """
        let command = "stty rows 31 cols 97; exec \"$0\" \"$@\""
        let result = try onTerminal(["sh", "-c", command, RunSetup.command] + setup.words(["sh", "-c", script]))
        #expect(result.status == .exited(128 + SIGSEGV))
        #expect(
            result.output.hasPrefix("terminal\r\n31 97\r\n1%\r99%\r\u{1b}[31mred\u{1b}[0m word\r\n"), "\(result.output)"
        )
        #expect(try setup.kept().first?.breadcrumbs.map(\.message) == ["red word"])
    }

    @Test func theShellStopsAndContinuesIt() throws {
        // The words are not what is shown of the typed line.
        let program = setup.words(["sh", "-c", "'echo wor\"\"king; read line; echo do\"\"ne'"]).joined(separator: " ")
        let result = try onTerminal(
            ["bash", "--norc", "--noediting", "-i"],
            [
                ["", "\(RunSetup.command) \(program); echo status $?\n"], ["working\r\n", "\u{1a}"],
                ["Stopped", "jobs; fg\nline\n"], ["done\r\n", "exit 7\n"],
            ])
        #expect(result.status == .exited(7), "\(result.output)")
        #expect(result.output.contains("Stopped") && result.output.contains("done\r\n"), "\(result.output)")
        #expect(try setup.kept().isEmpty)
    }

    /// A program that stops itself is not left with a parent that waits.
    @Test func aProgramThatStopsItself() throws {
        let program = setup.words(["sh", "-c", "'echo wor\"\"king; kill -TSTP $$; echo do\"\"ne'"]).joined(
            separator: " ")
        let result = try onTerminal(
            ["bash", "--norc", "--noediting", "-i"],
            [
                ["", "\(RunSetup.command) \(program)\n"], ["Stopped", "fg\n"], ["done\r\n", "exit 7\n"],
            ])
        #expect(result.status == .exited(7) && result.output.contains("done\r\n"), "\(result.output)")
    }
}
