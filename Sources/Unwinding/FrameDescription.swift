// SPDX-License-Identifier: Apache-2.0
import CElfutils
import Glibc

/// The rules that take a frame's registers to its caller's, at one address. Not thread-safe.
final class FrameDescription {
    /// What is known of a caller's register.
    enum Rule {
        case undefined
        case sameValue
        case expression(UnsafeBufferPointer<Dwarf_Op>)
        case invalid
    }

    /// This frame is a signal handler's return trampoline: its caller was interrupted, not left by a call.
    let isSignalFrame: Bool
    /// The register whose rule gives the return address.
    let returnAddressRegister: Int
    let loadBias: UInt64
    private let frame: OpaquePointer
    private let owner: UnwindImage
    /// libdw writes simple rules here; each is used before the next is asked for.
    private let scratch: UnsafeMutablePointer<Dwarf_Op>

    /// Takes the frame over. `owner` keeps the file open that the frame points into.
    init(_ frame: OpaquePointer, owner: UnwindImage, loadBias: UInt64) {
        self.frame = frame
        self.owner = owner
        self.loadBias = loadBias
        scratch = .allocate(capacity: 3)
        scratch.initialize(repeating: Dwarf_Op(), count: 3)
        var start: Dwarf_Addr = 0
        var end: Dwarf_Addr = 0
        var signal = false
        returnAddressRegister = Int(dwarf_frame_info(frame, &start, &end, &signal))
        isSignalFrame = signal
    }

    deinit {
        scratch.deallocate()
        free(UnsafeMutableRawPointer(frame))
    }

    /// The expression of the canonical frame address.
    var canonicalFrameAddress: UnsafeBufferPointer<Dwarf_Op>? {
        var operations: UnsafeMutablePointer<Dwarf_Op>?
        var count = 0
        guard dwarf_frame_cfa(frame, &operations, &count) == 0, let operations, count > 0 else { return nil }
        return UnsafeBufferPointer(start: operations, count: count)
    }

    func rule(for register: Int) -> Rule {
        var operations: UnsafeMutablePointer<Dwarf_Op>?
        var count = 0
        guard dwarf_frame_register(frame, Int32(register), scratch, &operations, &count) == 0 else { return .invalid }
        if count > 0, let operations { return .expression(UnsafeBufferPointer(start: operations, count: count)) }
        return operations == nil ? .sameValue : .undefined
    }
}
