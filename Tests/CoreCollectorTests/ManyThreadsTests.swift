// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

@Suite struct ManyThreadsTests {
    private static let source = """
        #include <pthread.h>
        #include <stdlib.h>
        #include <unistd.h>
        static pthread_barrier_t barrier;
        __attribute__((noinline)) static void wait_for_work(void) { pthread_barrier_wait(&barrier); for (;;) pause(); }
        static void *work(void *unused) { wait_for_work(); return unused; }
        int main(void) {
            pthread_barrier_init(&barrier, 0, 301);
            for (int i = 0; i < 300; i++) { pthread_t thread; pthread_create(&thread, 0, work, 0); }
            pthread_barrier_wait(&barrier);
            usleep(50000);
            abort();
        }
        """

    @Test func everyThreadHasItsFrames() throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "many", source: Self.source, extension: "c", compiler: "gcc", flags: ["-g", "-O1", "-pthread"], in: folder)
        let collected = try Collected(folder.path + "/storage", core: try CoreOfCrash.make(program, in: folder))
        let event = try collected.event()
        #expect(event.threads.count == 301 && event.threads.first?.crashed == true)
        for thread in event.threads {
            #expect(thread.framesTruncated == false && thread.frames.count >= 3 && thread.stack != nil)
        }
        let named = try collected.symbolicated()
        let workers = named.threads.filter { $0.frames.contains { $0.function == "wait_for_work" } }
        #expect(workers.count == 300)
    }
}
