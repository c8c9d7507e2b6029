// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport

/// The capture core as it is shipped, and with crashes in its handler, built once for all tests.
enum CaptureLibrary {
    private static let folder = Result { try TemporaryFolder() }
    private static let plain = Result { try build("plain", extra: "") }
    private static let faulty = Result { try build("faulty", extra: "-DVAKA_TEST_FAULTS") }

    /// For LD_PRELOAD.
    static func shared() throws -> String { try plain.get() + "/libvakacrash.so" }
    /// To link programs with.
    static func archive() throws -> String { try plain.get() + "/libvakacrash.a" }
    /// Its handler crashes in the stages that VAKA_TEST_FAULT_STAGES has bits for.
    static func faultyShared() throws -> String { try faulty.get() + "/libvakacrash.so" }

    static let sources = BuildProducts.root + "/CSupport/CVakaCrash"

    private static func build(_ name: String, extra: String) throws -> String {
        let output = try folder.get().path + "/" + name
        try CompiledProgram.tool("make", ["-s", "-C", sources, "OUT=\(output)", "EXTRA=\(extra)"])
        return output
    }
}
