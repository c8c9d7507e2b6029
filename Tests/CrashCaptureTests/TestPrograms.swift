// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// The programs of Programs/, each compiled once.
enum TestPrograms {
    private static let folder = Result { try TemporaryFolder() }
    private static let built = Result { try build("plain", flags: ["-O1"]) }

    static func plain() throws -> String { try built.get() }

    private static func build(_ name: String, flags: [String]) throws -> String {
        let output = try folder.get().path + "/" + name
        let source = BuildProducts.root + "/Tests/CrashCaptureTests/Programs/" + name + ".c"
        try CompiledProgram.tool("gcc", ["-g", "-fno-omit-frame-pointer", source, "-o", output, "-pthread"] + flags)
        return output
    }
}
