// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import VakaModel

/// A small program with its sources in folders of its own, as one is built elsewhere: its crash's record, and the command on it.
struct SourceProgram {
    let folder: TemporaryFolder
    /// Of the sources, without links on the way.
    let root: String
    let executable: String
    let buildID: BuildID

    static let command = BuildProducts.executable("vaka")

    /// Line 5 of `part.h`, inlined into line 9 of `main.c`, crashes.
    private static let header = """
        struct part { int *value; };

        /* Not every part has a value. */
        static inline __attribute__((always_inline)) int read_value(struct part *part) {
        \treturn *part->value;
        }

        """
    private static let main = """
        #include "../include/part.h"

        int counted;

        __attribute__((noinline)) int use(struct part *part, int count) {
            counted = count;
            for (int i = 0; i < count; i++) {
                // the first one will do
                counted += read_value(part);
            }
            return counted;
        }

        int main(int argc, char **argv) {
            struct part part = {0};
            return argv == 0 ? 0 : use(&part, argc);
        }

        """

    /// - Parameter more: further flags; `-gdwarf-5` of clang writes checksums, gcc writes none.
    init(compiler: String = "clang", more: [String] = [], main: String = main) throws {
        folder = try TemporaryFolder()
        let real = realpath(folder.path, nil)
        defer { free(real) }
        root = real.map { String(cString: $0) } ?? folder.path
        for name in ["app/src", "app/include", "app/obj", "storage"] {
            try FileManager.default.createDirectory(atPath: root + "/" + name, withIntermediateDirectories: true)
        }
        executable = root + "/program"
        try Data(Self.header.utf8).write(to: URL(filePath: root + "/app/include/part.h"))
        try Data(main.utf8).write(to: URL(filePath: root + "/app/src/main.c"))
        try CompiledProgram.tool(
            compiler,
            ["-gdwarf-5", "-O0", "-Wl,--build-id=sha1"] + more + ["../src/main.c", "-o", executable],
            directory: root + "/app/obj")
        let notes = try CompiledProgram.tool("readelf", ["-n", executable])
        guard let match = notes.firstMatch(of: /Build ID: ([0-9a-f]+)/), let buildID = BuildID(hex: match.1) else {
            throw ChildProcess.Failure(description: "no build id: \(notes)")
        }
        self.buildID = buildID
    }

    /// Runs it into its crash; the record's path.
    func crash() throws -> String {
        _ = try ChildProcess.run(
            executable,
            environment: ["LD_PRELOAD": BuildProducts.preloadLibrary, "VAKA_STORAGE": root + "/storage"])
        guard let name = folder.entries("storage/crashes").first(where: { $0.hasSuffix(".vakacrash") }) else {
            throw ChildProcess.Failure(description: "no record was left")
        }
        return root + "/storage/crashes/" + name
    }

    func removeSources() throws {
        try FileManager.default.removeItem(atPath: root + "/app")
    }

    /// Changes a file's text, and its time.
    func change(_ name: String) throws {
        let file = URL(filePath: root + "/app/" + name)
        try (Data("\n\n// changed\n".utf8) + Data(contentsOf: file)).write(to: file)
        let later = timespec(tv_sec: time(nil) + 100, tv_nsec: 0)
        utimensat(AT_FDCWD, file.path, [later, later], 0)
    }

    /// The report as the command symbolicates it.
    func symbolicated(_ record: String, _ arguments: [String], from folder: String = "/") throws -> Event {
        let result = try ChildProcess.run(
            Self.command, ["symbolicate", "--format", "json"] + arguments + [record], directory: folder)
        guard result.status == .exited(0) else { throw ChildProcess.Failure(description: result.errors) }
        return try ModelCoding.decode(Event.self, from: result.outputData)
    }
}
