// SPDX-License-Identifier: Apache-2.0
import FuzzDriver
import FuzzTargets

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    FuzzTarget.recording.run(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}

/// The program's entry.
@_cdecl("RecordingFuzz_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    runFuzzer(count, arguments, testOneInput)
}
