// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Builds events as crashes leave them.
enum Sample {
    static let app = BuildID(hex: "aa00000000000000000000000000000000000001")
    static let libc = BuildID(hex: "cc00000000000000000000000000000000000001")

    static func own(
        _ function: String?, _ offset: UInt64, symbol: String? = nil, base: UInt64 = 0x5555_0000_0000,
        build: BuildID? = app,
        inlined: Bool = false, line: Int? = nil
    ) -> Frame {
        Frame(
            instructionAddress: HexAddress(base &+ offset), trust: .cfi, inlined: inlined, symbol: symbol ?? function,
            function: function, file: line == nil ? nil : "/src/main.swift", line: line, module: "app", buildID: build,
            relativeAddress: HexAddress(offset), status: function == nil ? .missingImage : .symbolicated)
    }

    static func system(_ function: String?, _ offset: UInt64, module: String = "libc.so.6") -> Frame {
        Frame(
            instructionAddress: HexAddress(0x7fff_0000_0000 &+ offset), trust: .cfi, symbol: function,
            function: function,
            module: module, buildID: libc, relativeAddress: HexAddress(offset),
            status: function == nil ? .missingImage : .noDebugInfo)
    }

    static let base = [
        system("__libc_start_call_main", 0x27000), system("__libc_start_main", 0x27100), own("_start", 0x100),
    ]

    static func crash(_ frames: [Frame], signal: String = "SIGSEGV", message: String? = nil) -> Event {
        var event = Event(
            eventID: String(repeating: "0", count: 32), type: .crash, timestamp: Timestamp(milliseconds: 0),
            level: .fatal)
        event.reason = Reason(signal: signal, number: 11, message: message)
        event.threads = [ThreadState(id: 1, crashed: true, frames: frames)]
        event.debugImages = [
            DebugImage(
                buildID: app, codeFile: "/opt/app/app", imageAddress: HexAddress(0x5555_0000_0000), imageSize: 0x10_0000
            ),
            DebugImage(
                buildID: libc, codeFile: "/lib/x86_64-linux-gnu/libc.so.6", imageAddress: HexAddress(0x7fff_0000_0000),
                imageSize: 0x20_0000),
        ]
        return event
    }
}
