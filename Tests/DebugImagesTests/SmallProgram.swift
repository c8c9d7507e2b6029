// SPDX-License-Identifier: Apache-2.0
import DebugImages
import TestSupport
import VakaModel

/// A small C program in the shapes that images come in.
struct SmallProgram {
    let folder: TemporaryFolder
    let path: String

    static let source = """
        int helper(int x) { return x * 3; }
        int main(int argc, char **argv) { return helper(argc) == 7 && argv != 0; }

        """

    init(flags: [String] = ["-g", "-O1"], name: String = "prog") throws {
        folder = try TemporaryFolder()
        path = try CompiledProgram.build(
            name, source: Self.source, extension: "c", compiler: "gcc", flags: flags, in: folder)
    }

    /// Splits off the debug information and strips the program; the link is written unless asked otherwise.
    func split(link: Bool = true) throws -> String {
        let debug = path + ".debug"
        try CompiledProgram.tool("objcopy", ["--only-keep-debug", path, debug])
        try CompiledProgram.tool("strip", ["-s", path])
        if link { try CompiledProgram.tool("objcopy", ["--add-gnu-debuglink=\(debug)", path]) }
        return debug
    }

    func identity(_ path: String? = nil) throws -> ELFIdentity { try ELFIdentifier.identify(path: path ?? self.path) }

    func image(codeFile: String? = nil) throws -> DebugImage {
        let identity = try identity()
        return DebugImage(
            buildID: identity.buildID, codeFile: codeFile ?? path, imageAddress: HexAddress(0x5555_5555_4000),
            imageSize: identity.loadedSize)
    }
}
