// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// A program with so much in it that nobody reads, and a build id of its own.
struct BulkyProgram {
    let path: String
    let data: Data
    let buildID: BuildID

    init(_ folder: TemporaryFolder, bulk: Int, source: String = "int main(void) { return 0; }\n") throws {
        let plain = try CompiledProgram.build(
            "plain", source: source, extension: "c", compiler: "gcc", flags: ["-g", "-O0", "-Wl,--build-id=sha1"],
            in: folder)
        let filling = folder.path + "/bulk"
        path = folder.path + "/program"
        var random = SystemRandomNumberGenerator()
        var bytes = Data(count: bulk)
        for index in stride(from: 0, to: bulk, by: 4096) { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        try bytes.write(to: URL(filePath: filling))
        try CompiledProgram.tool("objcopy", ["--add-section", ".bulk=\(filling)", plain, path])
        let notes = try CompiledProgram.tool("readelf", ["-n", path])
        data = try Data(contentsOf: URL(filePath: path))
        buildID = try #require(notes.firstMatch(of: /Build ID: ([0-9a-f]+)/).flatMap { BuildID(hex: $0.1) })
    }
}
