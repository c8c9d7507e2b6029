// SPDX-License-Identifier: Apache-2.0
import CVakaRecord

/// What is missing already when a core has been read.
struct CoreLosses {
    private(set) var losses: [vaka_loss] = []

    init(_ core: CollectedCore) {
        if core.run == nil { add(VAKA_LOSS_CORE_CONTEXT) }
        if core.notes.threadsLeftOut > 0 { add(VAKA_LOSS_THREADS_LIMIT, value: UInt64(core.notes.threadsLeftOut)) }
        if let end = core.end { add(VAKA_LOSS_CORE_CUT, argument: Self.argument(end).rawValue, value: core.bytesRead) }
        if let code = core.spool.failure { add(VAKA_LOSS_CORE_SPOOL, value: UInt64(code)) }
    }

    private mutating func add(_ kind: vaka_loss_kind, argument: UInt32 = 0, value: UInt64 = 0) {
        losses.append(vaka_loss(kind: kind.rawValue, argument: argument, value: value))
    }

    private static func argument(_ end: CoreStream.End) -> vaka_core_end {
        switch end {
        case .ended: VAKA_CORE_SHORT
        case .timeLimit: VAKA_CORE_TIME
        case .byteLimit: VAKA_CORE_BYTES
        case .failed: VAKA_CORE_ERROR
        }
    }
}
