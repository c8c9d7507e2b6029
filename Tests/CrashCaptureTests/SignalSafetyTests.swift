// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The code in signal context calls nothing that is not on its list.
@Suite struct SignalSafetyTests {
    private let script = CaptureLibrary.sources + "/check-signal-safety.sh"

    @Test func nothingUnsafeIsCalled() throws {
        let result = try ChildProcess.run(script)
        #expect(result.status == .exited(0), "\(result.errors)")
    }

    @Test func unsafeCallsAreFound() throws {
        let result = try ChildProcess.run(script, ["--self-test"])
        #expect(result.status == .exited(0), "\(result.errors)")
        #expect(result.output.contains("async/unsafe.c calls malloc"))
    }

    @Test func onlyLibcIsNeeded() throws {
        let needed = try CompiledProgram.tool("readelf", ["-d", try CaptureLibrary.shared()])
            .split(separator: "\n").filter { $0.contains("(NEEDED)") }
        #expect(needed.allSatisfy { $0.contains("[libc.so.6]") || $0.contains("[ld-linux") }, "\(needed)")
    }
}
