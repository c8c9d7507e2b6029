// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The units of Packaging/ and the tree that its container file makes.
struct PackagingTests {
    private let folder: TemporaryFolder
    private let packaging = BuildProducts.root + "/Packaging"
    private let server = BuildProducts.executable("vaka-server")

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `systemd finds nothing wrong with the units, and little that they leave open`() throws {
        let unit = try String(contentsOf: URL(filePath: packaging + "/vaka.service"), encoding: .utf8)
        let start = unit.replacing("@PREFIX@/bin/vaka-server", with: server)
            // Who has not installed it has no manual either.
            .replacing("Documentation=man:vaka-server(1)\n", with: "")
        try Data(start.utf8).write(to: URL(filePath: folder.path + "/vaka.service"))
        try FileManager.default.copyItem(atPath: packaging + "/vaka.socket", toPath: folder.path + "/vaka.socket")
        let verified = try ChildProcess.run(
            "systemd-analyze", ["verify", "./vaka.service", "./vaka.socket"], directory: folder.path)
        let said = verified.errors.split(separator: "\n").filter { $0.contains("vaka") }
        #expect(said == [] && verified.status == .exited(0), "\(verified.errors)")
        let exposure = try ChildProcess.run(
            "systemd-analyze", ["security", "--offline=true", "--threshold=20", "./vaka.service"],
            directory: folder.path)
        #expect(exposure.status == .exited(0), "at most 2.0 of 10: \(exposure.output.suffix(200))")
    }

    /// No container engine is needed to see whether the executables and their libraries are all there is.
    @Test(.enabled(if: getuid() == 0, "chroot needs root"), arguments: [true, false])
    func `the service runs in a tree of its own, or says why it does not`(_ hasDevices: Bool) throws {
        let root = folder.path + "/root"
        let needed = try libraries()
        for path in needed + [server] {
            let place = root + (path == server ? "/usr/bin/vaka-server" : path)
            try FileManager.default.createDirectory(
                at: URL(filePath: place).deletingLastPathComponent(), withIntermediateDirectories: true)
            // By a process of its own: a program that this one writes to is busy while any child of it has the descriptor.
            try CompiledProgram.copy(path, to: place)
        }
        for name in ["proc", "dev", "var/lib/vaka", "tmp"] {
            try FileManager.default.createDirectory(
                at: URL(filePath: root + "/" + name), withIntermediateDirectories: true)
        }
        let process = try ChildProcess(
            "unshare",
            [
                "--mount", "--fork", "--kill-child", "sh", "-c",
                "mount -t proc proc \(root)/proc && \(hasDevices ? "mount --rbind /dev \(root)/dev &&" : "")"
                    + " exec chroot \(root) /usr/bin/vaka-server --data /var/lib/vaka --listen 127.0.0.1:0",
            ],
            environment: ["SWIFT_BACKTRACE": "enable=no", "LD_LIBRARY_PATH": try libraryFolders(needed)])
        defer {
            process.kill(SIGTERM)
            _ = try? process.wait(seconds: 20)
        }
        try process.waitForOutput("listening on http")
        let url = String(process.outputSoFar.dropFirst("listening on ".count).dropLast())
        let answer = try HTTPClient(url: url).send("GET", "/readyz")
        guard !hasDevices else {
            #expect(answer.status == 200, "the worker runs, too")
            return
        }
        // A worker has /dev/null, and without that does not begin.
        #expect(answer.status == 503 && answer.text.contains("the log says why"), "\(answer.text)")
        #expect(process.errorsSoFar.contains("error worker_down: a worker does not answer: "))
    }

    @Test func `the container file installs every library that the service needs`() throws {
        let file = try String(contentsOf: URL(filePath: packaging + "/Containerfile"), encoding: .utf8)
        let words = Set(file.split(whereSeparator: \.isWhitespace).map(String.init))
        let base: Set = ["libc6", "libgcc-s1", "libstdc++6", "zlib1g", "libmd0"]
        let needed = try ChildProcess.run("readelf", ["-d", server]).output.split(separator: "\n")
            .filter { $0.contains("(NEEDED)") }
            .compactMap { $0.split(separator: "[").last?.dropLast() }
            .filter { !$0.hasPrefix("libswift") && !$0.hasPrefix("lib_") && !$0.hasPrefix("libFoundation") }
            .filter { !["libdispatch.so", "libBlocksRuntime.so"].contains($0) }
        #expect(needed.count > 5)
        for library in needed {
            let owners = try ChildProcess.run("dpkg", ["-S", "*/\(library)"]).output.split(separator: "\n")
                .compactMap { $0.split(separator: ":").first.map(String.init) }
            #expect(
                owners.contains { words.contains($0) || base.contains($0) }, "\(library) is of \(owners)")
        }
    }

    private func libraries() throws -> [String] {
        try ChildProcess.run("ldd", [server]).output.split(separator: "\n").compactMap { line in
            line.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("/") }.map(String.init)
        }
    }

    private func libraryFolders(_ libraries: [String]) throws -> String {
        let folders = Set(libraries.map { URL(filePath: $0).deletingLastPathComponent().path })
        return folders.sorted().joined(separator: ":")
    }
}
