// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing

/// Programs for another machine or with another C library, and how to run them; each is built once.
enum CrossPrograms {
    /// What a program is built for.
    enum Target: String, CaseIterable, Sendable, CustomTestStringConvertible {
        /// Linked with the library.
        case arm64Static
        /// Knows nothing of Vaka: the shared library is preloaded.
        case arm64Dynamic
        /// Without frame pointers, and with signed return addresses.
        case arm64Signed
        case musl

        var testDescription: String { rawValue }
        var isARM64: Bool { self != .musl }
        var isLinked: Bool { self != .arm64Dynamic }
        fileprivate var compiler: String { isARM64 ? "aarch64-linux-gnu-gcc" : "musl-gcc" }
        fileprivate var emulator: [String] {
            guard isARM64 else { return [] }
            let processor = self == .arm64Signed ? ["-cpu", "max"] : []
            return ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"] + processor
        }
    }

    /// `elsewhere WAY` for a target, to its end; under the emulator with more variables.
    static func crash(_ target: Target, _ way: String, _ variables: [String] = []) throws -> Captured {
        let storage = try TemporaryFolder()
        let program = try program(target)
        let ours =
            target.isLinked
            ? [] : ["-E", "VAKA_STORAGE=" + storage.path, "-E", "LD_PRELOAD=" + (try arm64.get()) + "/libvakacrash.so"]
        let more = target.isARM64 ? variables.flatMap { ["-E", $0] } : []
        let command = target.emulator + ours + more + [program, way] + (target.isLinked ? [storage.path] : [])
        let result = try ChildProcess.run(command[0], Array(command.dropFirst()))
        return Captured(result: result, storage: storage)
    }

    static func program(_ target: Target) throws -> String {
        switch target {
        case .arm64Static: try arm64Static.get()
        case .arm64Dynamic: try arm64Dynamic.get()
        case .arm64Signed: try arm64Signed.get()
        case .musl: try muslStatic.get()
        }
    }

    private static let folder = Result { try TemporaryFolder() }
    private static let arm64 = Result {
        try library("arm64", ["CC=aarch64-linux-gnu-gcc", "AR=aarch64-linux-gnu-ar"])
    }
    private static let musl = Result { try library("musl", ["CC=musl-gcc"]) }
    private static let arm64Static = Result { try build(.arm64Static, arm64.get(), []) }
    private static let arm64Dynamic = Result { try build(.arm64Dynamic, nil, []) }
    private static let arm64Signed = Result {
        try build(.arm64Signed, arm64.get(), ["-fomit-frame-pointer", "-mbranch-protection=pac-ret+leaf"])
    }
    private static let muslStatic = Result { try build(.musl, musl.get(), ["-Wl,--build-id"]) }

    private static func library(_ name: String, _ variables: [String]) throws -> String {
        let output = try folder.get().path + "/" + name
        try CompiledProgram.tool("make", ["-s", "-C", CaptureLibrary.sources, "OUT=" + output] + variables)
        return output
    }

    private static func build(_ target: Target, _ library: String?, _ flags: [String]) throws -> String {
        let output = try folder.get().path + "/elsewhere-" + target.rawValue
        let linked = library.map {
            ["-static", "-DLINKED", "-I\(CaptureLibrary.sources)/include", $0 + "/libvakacrash.a"]
        }
        let source = BuildProducts.root + "/Tests/CrashCaptureTests/Programs/elsewhere.c"
        try CompiledProgram.tool(
            target.compiler, ["-O2", "-g", "-w", source] + (linked ?? []) + ["-pthread", "-o", output] + flags)
        return output
    }
}
