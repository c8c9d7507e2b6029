// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CoreFile
import CrashRecord
import FoundationEssentials
import Glibc

/// What a record says of the program, its container and the machine, in the words that the handlers use.
struct HostFacts {
    private static let digits = 64
    private static let runtimes = [
        ("docker", "docker"), ("libpod", "podman"), ("crio", "crio"), ("cri-containerd", "cri-containerd"),
        ("containerd", "containerd"), ("lxc", "lxc"), ("kubepods", "kubepods"),
    ]

    let core: CollectedCore
    let facts: CoreFacts

    func context() -> [UInt8] {
        var buffer = ContextBuffer()
        buffer.set(VAKA_CONTEXT_SDK, "name", "vaka-collect")
        addProcess(to: &buffer)
        buffer.set(VAKA_CONTEXT_HOST, "name", facts.hostName)
        guard let process = core.process else { return buffer.payload }
        buffer.set(VAKA_CONTEXT_RELEASE, "release", process.release)
        buffer.set(VAKA_CONTEXT_RELEASE, "environment", process.environment)
        addMachine(process.osRelease, to: &buffer)
        addContainer(process.controlGroups, to: &buffer)
        return buffer.payload
    }

    private func addProcess(to buffer: inout ContextBuffer) {
        let path = facts.executable
        let name = path.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? core.notes.programName
        buffer.set(VAKA_CONTEXT_PROCESS, "name", name)
        buffer.set(VAKA_CONTEXT_PROCESS, "executable", path)
        buffer.set(VAKA_CONTEXT_PROCESS, "parent_pid", core.notes.parentID.map { "\($0)" })
    }

    private func addMachine(_ osRelease: String, to buffer: inout ContextBuffer) {
        for line in osRelease.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            let keys = ["NAME": "name", "VERSION_ID": "version", "ID": "id", "PRETTY_NAME": "pretty_name"]
            guard parts.count == 2, let key = keys[String(parts[0])] else { continue }
            buffer.set(VAKA_CONTEXT_OS, key, String(parts[1]).trimming("\"'"))
        }
        for (key, file) in [("name", "ostype"), ("release", "osrelease"), ("version", "version")] {
            let text = (try? BoundedFile.read("/proc/sys/kernel/\(file)", limit: 4096)) ?? []
            buffer.set(VAKA_CONTEXT_KERNEL, key, String(decoding: text, as: UTF8.self).trimming("\n"))
        }
        buffer.set(VAKA_CONTEXT_HOST, "cpu_count", "\(sysconf(Int32(_SC_NPROCESSORS_ONLN)))")
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        buffer.set(VAKA_CONTEXT_HOST, "memory_bytes", "\(pages * sysconf(Int32(_SC_PAGESIZE)))")
    }

    /// By the names of its control groups; in a group that no runtime made, it is in none.
    private func addContainer(_ groups: String, to buffer: inout ContextBuffer) {
        guard let runtime = Self.runtimes.first(where: { groups.contains($0.0) })?.1 else { return }
        buffer.set(VAKA_CONTEXT_CONTAINER, "runtime", runtime)
        let words = groups.split { !($0.isASCII && $0.isHexDigit && !$0.isUppercase) }
        buffer.set(VAKA_CONTEXT_CONTAINER, "id", words.first { $0.count == Self.digits }.map(String.init))
    }
}

extension String {
    fileprivate func trimming(_ characters: String) -> String {
        var text = self[...]
        while let last = text.last, characters.contains(last) { text.removeLast() }
        while let first = text.first, characters.contains(first) { text.removeFirst() }
        return String(text)
    }
}
