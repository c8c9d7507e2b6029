// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing
import VakaModel

@testable import DebugImages

/// Who can give the images that an event lacks.
struct ImageSupplyTests {
    private let buildID = BuildID(hex: "00112233445566778899aabbccddeeff00112233")

    /// An event with one frame in each image; images without a path and a build id stand for none.
    private func supply(
        of path: String?, buildID: BuildID? = BuildID(hex: "0011"), os: String? = "debian",
        executable: String = "/srv/app",
        status: ImageStatus = .missing, frame: FrameStatus = .missingImage
    ) -> ImageSupply? {
        var event = Event(
            eventID: "e", type: .crash, timestamp: Timestamp(milliseconds: 0), level: .fatal, arch: "x86_64")
        event.contexts["os"] = os.map { ["id": .string($0)] }
        event.contexts["process"] = ["executable": .string(executable)]
        if let path {
            event.debugImages = [
                DebugImage(
                    buildID: buildID, codeFile: path, imageAddress: HexAddress(0x1000), imageSize: 0x1000,
                    status: status)
            ]
        }
        event.threads = [
            ThreadState(
                id: 1, name: nil, crashed: true,
                frames: [Frame(instructionAddress: HexAddress(0x1010), trust: .cfi, status: frame)])
        ]
        return ImageSupply.missing(in: event, service: "https://vaka.example").first
    }

    @Test func `a file with debug information is not asked for again`() throws {
        var event = Event(eventID: "e", type: .crash, timestamp: Timestamp(milliseconds: 0), level: .fatal)
        event.debugImages = [
            DebugImage(
                buildID: buildID, codeFile: "/srv/app", imageAddress: HexAddress(0x1000), imageSize: 0x1000,
                status: .found)
        ]
        var named = Frame(instructionAddress: HexAddress(0x1010), trust: .context, buildID: buildID)
        named.status = .symbolicated
        named.line = 3
        var start = Frame(instructionAddress: HexAddress(0x1100), trust: .cfi, buildID: buildID)
        start.status = .noDebugInfo
        event.threads = [ThreadState(id: 1, name: nil, crashed: true, frames: [named, start])]
        #expect(ImageSupply.missing(in: event).isEmpty)
        event.threads[0].frames = [start]
        #expect(ImageSupply.missing(in: event).count == 1)
    }

    @Test func `a program's own image comes from whoever built it`() {
        let own = supply(of: "/srv/app")
        #expect(own?.supplier == .you && own?.frames == 1 && own?.codeFile == "/srv/app")
        #expect(own?.command == "vaka upload debug --url https://vaka.example /srv/app")
        #expect(supply(of: "/usr/local/lib/libown.so")?.supplier == .you)
        #expect(
            supply(of: "/opt/it's here/app (deleted)")?.command?.hasSuffix(" '/opt/it'\\''s here/app'") == true,
            "as a shell takes it")
        #expect(supply(of: "/usr/bin/app", executable: "/usr/bin/app")?.supplier == .you, "the program itself")
        let stripped = supply(of: "/srv/app", status: .found, frame: .noDebugInfo)
        #expect(stripped?.reason.contains("before it was stripped") == true)
        let unnamed = supply(of: "/srv/app", buildID: nil)
        #expect(unnamed?.supplier == .you && unnamed?.command?.contains("--build-id") == true)
    }

    @Test(
        arguments: [
            ("debian", "debuginfod.debian.net"), ("ubuntu", "debuginfod.ubuntu.com"),
            ("fedora", "debuginfod.fedoraproject.org"), ("plan9", "debuginfod.elfutils.org"),
            (nil, "debuginfod.elfutils.org"),
        ] as [(String?, String)])
    func `a system library comes from its distribution`(os: String?, host: String) {
        let supply = supply(of: "/usr/lib/x86_64-linux-gnu/libc.so.6", buildID: buildID, os: os)
        #expect(supply?.supplier == .distribution)
        #expect(supply?.command?.contains("DEBUGINFOD_URLS=https://\(host) debuginfod-find debuginfo 00112233") == true)
        #expect(supply?.command?.hasPrefix("vaka upload debug --url https://vaka.example ") == true)
    }

    @Test(arguments: ["[vdso]", "linux-vdso.so.1", "/memfd:jit-cache (deleted)", "[anon:code]", "/dev/zero (deleted)"])
    func `nobody has what was never a file`(path: String) {
        let supply = supply(of: path)
        #expect(supply?.supplier == .nobody && supply?.command == nil && supply?.reason.isEmpty == false)
    }

    @Test func `nobody has code that lies in no image`() {
        let supply = supply(of: nil, frame: .noModule)
        #expect(supply?.supplier == .nobody && supply?.codeFile == nil && supply?.buildID == nil)
    }

    @Test func `a readable event lacks nothing`() {
        #expect(supply(of: "/srv/app", status: .found, frame: .symbolicated) == nil)
    }
}
