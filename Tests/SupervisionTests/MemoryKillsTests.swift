// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Supervision
import TestSupport
import Testing

@Suite struct MemoryKillsTests {
    private func folder(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in files {
            let file = URL(filePath: folder.path + "/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return folder
    }

    private func count(_ files: [String: String]) throws -> UInt64? {
        let folder = try folder(files)
        return MemoryKills(root: folder.path, membership: folder.path + "/self").count
    }

    @Test func theFirstVersion() throws {
        let control = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n"
        #expect(try count(["self": "4:cpu,memory:/a/b\n0::/\n", "memory/a/b/memory.oom_control": control]) == 3)
        #expect(try count(["self": "4:memory:/docker/x\n", "memory/memory.oom_control": control]) == 3)
    }

    @Test func theSecondVersion() throws {
        let events = "low 0\nhigh 0\nmax 9\noom 2\noom_kill 2\noom_group_kill 0\n"
        #expect(try count(["self": "0::/system.slice/app\n", "system.slice/app/memory.events": events]) == 2)
        #expect(try count(["self": "0::/\n", "unified/memory.events": events]) == 2)
    }

    @Test func whatIsNotToldIsNotInvented() throws {
        #expect(try count(["self": "4:cpu:/\n"]) == nil)
        #expect(try count(["self": "4:memory:/\n", "memory/memory.oom_control": "oom_kill many\nx"]) == nil)
        #expect(try count([:]) == nil)
    }
}
