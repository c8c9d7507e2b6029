// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// The lines around a frame, from files of this machine and from bundles, by the command alone.
@Suite struct SourceContextTests {
    private func losses(_ event: Event) -> [Loss] { event.loss.filter { $0.what.hasPrefix("source lines of ") } }

    private func text(_ program: SourceProgram, _ record: String, _ arguments: [String]) throws -> String {
        try ChildProcess.run(SourceProgram.command, ["symbolicate"] + arguments + [record], directory: "/").output
    }

    @Test func framesShowTheLinesOfFilesThatAreThere() throws {
        let program = try SourceProgram()
        let record = try program.crash()
        let event = try program.symbolicated(record, ["--source-root", program.root + "/app"])
        let frames = try #require(event.crashedThread?.frames)
        #expect(frames.prefix(3).map(\.function) == ["read_value", "use", "main"])
        #expect(frames.prefix(3).map(\.line) == [5, 9, 16])
        #expect(frames[0].file == program.root + "/app/include/part.h", "the way up and down again is left out")
        let inner = try #require(frames[0].sourceContext)
        #expect(inner.line == "\treturn *part->value;")
        #expect(inner.pre.count == 4 && inner.pre.first == "struct part { int *value; };")
        #expect(inner.post == ["}"])
        #expect(inner.origin == .file)
        #expect(inner.verified)
        let outer = try #require(frames[1].sourceContext)
        #expect(outer.line == "        counted += read_value(part);")
        #expect(outer.pre.count == 5 && outer.post.count == 5)
        #expect(frames[2].sourceContext?.line.contains("use(&part, argc)") == true)
        #expect(frames.dropFirst(3).allSatisfy { $0.sourceContext == nil }, "not the program's own")
        #expect(losses(event).isEmpty)
        for root in [".", "../app", "include/.."] {
            let same = try program.symbolicated(record, ["--source-root", root], from: program.root + "/app")
            #expect(same.crashedThread?.frames == frames, "\(root)")
        }

        let shown = try text(program, record, ["--source-root", program.root + "/app"])
        #expect(shown.contains("     >  9 │         counted += read_value(part);\n"), "\(shown)")
        #expect(shown.contains("        8 │         // the first one will do\n"))
        #expect(!shown.contains("\u{1b}"), "no colour where no terminal is")
    }

    @Test func nothingIsReadOutsideTheNamedFolders() throws {
        let program = try SourceProgram()
        let record = try program.crash()
        for arguments in [
            [], ["--no-system", "--symbols", program.executable], ["--source-root", program.root + "/app/obj"],
        ] {
            let event = try program.symbolicated(record, arguments)
            #expect(event.crashedThread?.frames[1].line == 9)
            #expect(event.crashedThread?.frames.allSatisfy { $0.sourceContext == nil } == true, "\(arguments)")
        }
        let event = try program.symbolicated(record, ["--source-root", program.root + "/app/obj"])
        #expect(losses(event).count == 1, "once for the image: \(losses(event))")
        #expect(losses(event).first?.why.contains("--source-root") == true)
    }

    @Test(arguments: ["clang", "gcc"]) func aChangedFileIsNotShownAndToldOnce(compiler: String) throws {
        let program = try SourceProgram(compiler: compiler)
        let record = try program.crash()
        let root = ["--source-root", program.root]
        let before = try program.symbolicated(record, root)
        // Only clang tells checksums; of gcc's file only its time speaks.
        #expect(before.crashedThread?.frames[1].sourceContext?.verified == (compiler == "clang"))
        try program.change("src/main.c")
        let event = try program.symbolicated(record, root)
        let frames = try #require(event.crashedThread?.frames)
        #expect(frames[0].sourceContext != nil, "its file is as it was")
        #expect(frames[1].sourceContext == nil && frames[2].sourceContext == nil)
        #expect(losses(event).map(\.what) == ["source lines of \(program.root)/app/src/main.c"])
        #expect(losses(event).first?.why.contains("changed") == true)
    }

    @Test(arguments: ["clang", "gcc"]) func aProgramWithoutABuildIDHasItsLinesToo(compiler: String) throws {
        let program = try SourceProgram(compiler: compiler)
        try CompiledProgram.tool(
            compiler, ["-gdwarf-5", "-O0", "-Wl,--build-id=none", "../src/main.c", "-o", program.executable],
            directory: program.root + "/app/obj")
        let record = try program.crash()
        let event = try program.symbolicated(record, ["--source-root", program.root])
        let frames = try #require(event.crashedThread?.frames)
        #expect(frames[0].buildID == nil && frames[0].sourceContext?.line == "\treturn *part->value;")
        #expect(frames[1].sourceContext?.line == "        counted += read_value(part);")
        #expect(frames[1].sourceContext?.verified == (compiler == "clang"))
        #expect(losses(event).isEmpty)
        try program.change("src/main.c")
        let changed = try program.symbolicated(record, ["--source-root", program.root])
        #expect(changed.crashedThread?.frames[1].sourceContext == nil)
        let without = try program.symbolicated(record, ["--no-system", "--symbols", program.executable])
        #expect(without.crashedThread?.frames[1].line == 9)
        #expect(losses(without).first?.why.contains("the image has none") == true, "\(losses(without))")
    }

    @Test func aMapLeadsToWhereTheSourcesAreNow() throws {
        let program = try SourceProgram(more: ["-ffile-prefix-map=../=/mapped/", "-fdebug-compilation-dir=/mapped/obj"])
        let record = try program.crash()
        let map = ["--source-map", "/mapped=\(program.root)/app"]
        let event = try program.symbolicated(record, map)
        let frames = try #require(event.crashedThread?.frames)
        #expect(frames[1].file == "/mapped/src/main.c")
        let here = try program.symbolicated(record, ["--source-map", "/mapped=."], from: program.root + "/app")
        #expect(here.crashedThread?.frames == frames)
        #expect(frames[1].sourceContext?.line == "        counted += read_value(part);")
        #expect(
            try program.symbolicated(record, ["--source-root", program.root]).crashedThread?.frames[1].sourceContext
                == nil)
    }

    @Test func aBundleServesWhereTheSourcesAreGone() throws {
        let program = try SourceProgram()
        let record = try program.crash()
        let made = try ChildProcess.run(
            SourceProgram.command,
            ["bundle", "--source-root", program.root + "/app", "--output", program.root, program.executable])
        #expect(made.status == .exited(0), "\(made.errors)")
        let name = "\(program.buildID).sources.zip"
        #expect(made.output.contains("\(name): 2 files, none missing"), "\(made.output)")
        try program.removeSources()
        let event = try program.symbolicated(record, ["--symbols", program.root])
        let frames = try #require(event.crashedThread?.frames)
        #expect(frames[0].sourceContext?.line == "\treturn *part->value;")
        #expect(frames[0].sourceContext?.origin == .bundle)
        #expect(frames[1].sourceContext?.verified == true)
        #expect(losses(event).isEmpty)
        // Symbolicated again, without the bundle: what cannot be known any more is not kept as if it were.
        let document = program.root + "/event.json"
        try ModelCoding.encode(event).write(to: URL(filePath: document))
        let again = try program.symbolicated(document, ["--no-system", "--symbols", program.root + "/storage"])
        #expect(again.crashedThread?.frames.contains { $0.sourceContext != nil } == false)
    }

    /// `#line` names any file: an image of somebody else's must not make this machine's secrets its sources.
    @Test func anImageThatNamesOtherFilesGetsNoneOfThem() throws {
        let secret = try TemporaryFolder()
        try Data("int token = 4711;\n".utf8).write(to: URL(filePath: secret.path + "/secret.c"))
        let source = """
            extern int other(int);
            # 1 "/etc/passwd"
            int first(int *p) { return *p; }
            # 1 "\(secret.path)/secret.c"
            int second(int *p) { return first(p); }
            # 1 "../src/link.c"
            int main(int argc, char **argv) { return second((int *)(long)(argc - 1)); }

            """
        let program = try SourceProgram(compiler: "gcc", main: source)
        try FileManager.default.createSymbolicLink(
            atPath: program.root + "/app/src/link.c", withDestinationPath: secret.path + "/secret.c")
        let record = try program.crash()
        let event = try program.symbolicated(record, ["--source-root", program.root])
        let frames = try #require(event.crashedThread?.frames)
        #expect(frames.prefix(3).map(\.function) == ["first", "second", "main"])
        #expect(frames.allSatisfy { $0.sourceContext == nil })
        let made = try ChildProcess.run(
            SourceProgram.command,
            ["bundle", "--source-root", program.root, "--output", program.root, program.executable])
        #expect(made.output.contains("bundled "), "\(made.output)\(made.errors)")
        let script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print([z.read(n) for n in z.namelist()])"
        let contents = try ChildProcess.run(
            "python3", ["-c", script, "\(program.root)/\(program.buildID).sources.zip"]
        ).output
        #expect(contents.contains("extern int other(int);"), "\(contents)")
        #expect(!contents.contains("4711") && !contents.contains("root:"), "\(contents)")
    }

    /// Neither the file's name nor the compilation's folder leads up and out of the folders that were named.
    @Test func theWayUpLeadsNowhere() throws {
        let secret = try TemporaryFolder()
        try Data("int token = 4711;\n".utf8).write(to: URL(filePath: secret.path + "/secret.c"))
        let up = String(repeating: "../", count: 20)
        let source = """
            # 1 "secret.c"
            __attribute__((noinline)) int first(volatile int *p) { return *p; }
            # 1 "\(up)\(secret.path.dropFirst())/secret.c"
            __attribute__((noinline)) int second(volatile int *p) { return first(p) + 1; }
            # 1 "main.c"
            int main(int argc, char **argv) { return second((int *)(long)(argc - 1)); }

            """
        let program = try SourceProgram(
            more: ["-fdebug-compilation-dir=/tmp/nowhere/\(up)\(secret.path.dropFirst())"], main: source)
        let record = try program.crash()
        let event = try program.symbolicated(record, ["--source-root", program.root])
        let frames = try #require(event.crashedThread?.frames)
        #expect(frames.prefix(2).map(\.function) == ["first", "second"])
        #expect(frames.prefix(2).allSatisfy { $0.file == secret.path + "/secret.c" }, "\(frames.prefix(2))")
        #expect(frames.allSatisfy { $0.sourceContext == nil })
        #expect(losses(event).allSatisfy { !$0.why.contains("4711") })
        // Where it is named, it is shown: the path was the right one.
        let named = try program.symbolicated(record, ["--source-root", secret.path])
        #expect(named.crashedThread?.frames[1].sourceContext?.line == "int token = 4711;")
    }
}
