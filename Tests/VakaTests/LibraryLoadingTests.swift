// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A fork and the program's end while another thread loads the network library.
@Suite struct LibraryLoadingTests {
    let run: ProgramRun

    init() throws {
        run = try ProgramRun()
    }

    /// Stands for libcurl: it says that it is being loaded and takes its time, and an end meanwhile aborts.
    private static let slowLibrary = """
        #include <fcntl.h>
        #include <stdlib.h>
        #include <unistd.h>
        static volatile int is_loaded;
        __attribute__((constructor)) static void load(void) {
            close(open(getenv("LOADING_MARK"), O_CREAT | O_WRONLY, 0600));
            usleep(400000);
            is_loaded = 1;
        }
        __attribute__((destructor)) static void unload(void) {
            if (!is_loaded)
                abort();
        }
        """

    @Test(arguments: ["fork", "exit=0"]) func waitsForTheLoad(_ last: String) throws {
        _ = try CompiledProgram.build(
            "libcurl.so.4", source: Self.slowLibrary, extension: "c", compiler: "gcc", flags: ["-shared", "-fPIC"],
            in: run.folder)
        let server = try ScriptedServer()
        let mark = run.folder.path + "/loading"
        let result = try run.start(
            server, ["untracked", "message=parent", "flush", "await=\(mark)", last],
            environment: ["LD_LIBRARY_PATH": run.folder.path, "LOADING_MARK": mark]
        ).wait()
        #expect(result.status == .exited(0), "\(result.errors)")
        #expect(last != "fork" || result.output.contains("child ended with 0"))
        #expect(try server.requests().isEmpty, "the library that is no libcurl was loaded")
    }

    /// With the real one, at whatever moment.
    @Test func aForkAndAnEndWhileTheNetworkLibraryLoads() throws {
        let server = try ScriptedServer()
        for number in 0..<(getenv("VAKA_SOAK") == nil ? 3 : 60) {
            let run = try ProgramRun()
            let pause = "sleep=\(0.002 * Double(number % 12))"
            let forked = try run.start(server, "untracked", "message=parent", "flush", pause, "fork").wait()
            #expect(forked.status == .exited(0))
            #expect(forked.output.contains("child ended with 0"))
            let ended = try run.start(server, "untracked", "message=parent", "flush", pause, "exit=0").wait()
            #expect(ended.status == .exited(0))
        }
    }
}
