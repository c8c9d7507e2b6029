// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import DebugImages
import FoundationEssentials
import Glibc
import Symbolication
import TestSupport
import Testing
import VakaModel

/// A program with more libraries than most have.
@Suite struct ManyImagesTests {
    private static let count = 2100

    private static let library = "int plugin(int *data);\nint plugin(int *data) { *data = 7; return 1; }\n"

    /// Loads the libraries of a folder, and calls a function of the last.
    private static let program = """
        #include <dlfcn.h>
        #include <stdio.h>
        #include <stdlib.h>
        int main(int argc, char **argv) {
            void *library = NULL;
            char path[4096];
            for (int i = 0; i < atoi(argv[argc - 1]); i++) {
                snprintf(path, sizeof(path), "%s/plugin-%d.so", argv[1], i);
                library = dlopen(path, RTLD_NOW);
                if (library == NULL)
                    return 1;
            }
            int (*plugin)(int *) = (int (*)(int *))dlsym(library, "plugin");
            return plugin(NULL) + 1;
        }

        """

    /// Libraries of a few pages: one is compiled, the others are its copies.
    private static func makeLibraries(in folder: TemporaryFolder) throws {
        let first = try CompiledProgram.build(
            "plugin", source: library, extension: "c", compiler: "gcc",
            flags: ["-g", "-O1", "-shared", "-fPIC", "-nostdlib", "-Wl,-z,noseparate-code", "-Wl,--build-id"],
            in: folder)
        let bytes = try Data(contentsOf: URL(filePath: first))
        for number in 0..<count {
            try bytes.write(to: URL(filePath: "\(folder.path)/plugin-\(number).so"))
        }
    }

    @Test func eachIsKnown() throws {
        let folder = try TemporaryFolder()
        try Self.makeLibraries(in: folder)
        let program = try CompiledProgram.build(
            "loader", source: Self.program, extension: "c", compiler: "gcc", flags: ["-g", "-O1"], in: folder)
        let result = try ChildProcess.run(
            program, [folder.path, "\(Self.count)"],
            environment: ["VAKA_STORAGE": folder.path + "/s", "LD_PRELOAD": BuildProducts.preloadLibrary])
        #expect(result.status == .signalled(SIGSEGV), "\(result.errors)")
        let records = folder.entries("s/crashes")
        #expect(records.count == 1)
        let event = try CrashRecordFile(contentsOf: "\(folder.path)/s/crashes/\(try #require(records.first))").event()
        #expect(event.loss.isEmpty, "\(event.loss)")
        let libraries = event.debugImages.filter { $0.codeFile?.contains("/plugin-") == true }
        #expect(libraries.count == Self.count)
        #expect(libraries.allSatisfy { $0.buildID == libraries[0].buildID && $0.buildID != nil })

        let symbolicated = Symbolicator(finder: ImageFinder()).symbolicate(event)
        let frames = try #require(symbolicated.crashedThread).frames
        #expect(frames.first?.module == "plugin-\(Self.count - 1).so")
        #expect(frames.prefix(2).map(\.function) == ["plugin", "main"])
        #expect(frames.prefix(2).map(\.line) == [2, 14])
        #expect(symbolicated.crashedThread?.framesTruncated == false)
    }
}
