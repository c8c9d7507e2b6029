// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Supervision
import TestSupport
import Testing

@Suite struct ControlGroupTests {
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
        return ControlGroup(root: folder.path, membership: folder.path + "/self").figures.kills
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

    @Test func limitsAndPeaks() throws {
        let first = try folder([
            "self": "4:memory:/a\n", "memory/a/memory.oom_control": "oom_kill 0\n",
            "memory/a/memory.limit_in_bytes": "9223372036854771712\n", "memory/a/memory.max_usage_in_bytes": "7\n",
        ])
        let group = ControlGroup(root: first.path, membership: first.path + "/self")
        #expect(group.version == 1 && group.path == "/a")
        #expect(group.figures == .init(kills: 0, limit: nil, peak: 7))
        let second = try folder([
            "self": "0::/b\n", "b/memory.events": "oom_kill 5\n", "b/memory.events.local": "oom_kill 2\n",
            "b/memory.max": "max\n", "b/memory.peak": "9\n",
        ])
        #expect(
            ControlGroup(root: second.path, membership: second.path + "/self").figures
                == .init(kills: 2, limit: nil, peak: 9))
    }

    @Test func whatIsNotToldIsNotInvented() throws {
        #expect(try count(["self": "4:cpu:/\n"]) == nil)
        #expect(try count(["self": "4:memory:/\n", "memory/memory.oom_control": "oom_kill many\nx"]) == nil)
        #expect(try count([:]) == nil)
    }
}
