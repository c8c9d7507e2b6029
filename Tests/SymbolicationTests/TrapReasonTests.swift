// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Symbolication
import TestSupport
import Testing
import VakaModel

/// Checks of clang's that fail without a word: their reason is in the debug information alone.
@Suite struct TrapReasonTests {
    private static let source = """
        struct Queue { int count; };
        __attribute__((noinline)) int take(Queue &queue) {
            if (queue.count == 0) __builtin_verbose_trap("Queue", "take from an empty queue");
            return queue.count--;
        }
        __attribute__((noinline)) int add(int left, int right) { return left + right; }
        int main(int argc, char **) {
            Queue queue{argc - 1};
            return argc > 1 ? add(0x7fffffff, argc) : take(queue);
        }

        """

    /// The event of a real crash, as the capture library leaves it, symbolicated by the command.
    private func crash(_ arguments: [String]) throws -> Event {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "checks", source: Self.source, extension: "cpp", compiler: "clang++",
            flags: ["-g", "-O1", "-fsanitize=signed-integer-overflow", "-fsanitize-trap=all"], in: folder)
        _ = try ChildProcess.run(
            program, arguments,
            environment: ["LD_PRELOAD": BuildProducts.preloadLibrary, "VAKA_STORAGE": folder.path + "/storage"])
        let name = try #require(folder.entries("storage/crashes").first { $0.hasSuffix(".vakacrash") })
        let shown = try ChildProcess.run(
            BuildProducts.executable("vaka"),
            ["symbolicate", "--format", "json", folder.path + "/storage/crashes/" + name], directory: "/")
        return try ModelCoding.decode(Event.self, from: shown.outputData)
    }

    @Test(
        arguments: [
            ([], "Queue: take from an empty queue", "take(Queue&)", 3),
            (
                ["more"], "Undefined Behavior Sanitizer: signed integer addition overflow in 'left + right'",
                "add(int, int)", 6
            ),
        ] as [([String], String, String, Int)])
    func theReasonIsInTheDebugInformation(arguments: [String], message: String, function: String, line: Int) throws {
        let event = try crash(arguments)
        #expect(event.reason?.signal == "SIGILL")
        #expect(event.reason?.message == message)
        #expect(event.reason?.messageSource == .dwarf)
        #expect(event.reason?.exception == "EXC_BREAKPOINT")
        let first = try #require(event.crashedThread?.frames.first)
        #expect(first.function == function && first.line == line && !first.inlined)
        #expect(first.notes.contains("trap: " + message))
    }
}
