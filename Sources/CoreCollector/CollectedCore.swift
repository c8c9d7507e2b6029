// SPDX-License-Identifier: Apache-2.0
import CoreFile

/// What was taken out of a core while it came.
struct CollectedCore {
    let machine: UInt16
    let architecture: String
    let segments: CoreSegments
    let notes: CoreNotes
    let spool: CoreSpool
    let images: OpenImages
    /// Nil where the process was gone, or is not known.
    let process: ProcessFacts?
    /// Of a process that had handlers of ours which left no record.
    let run: InstrumentedRun?
    /// Why not all of the core was read; nil where it was.
    let end: CoreStream.End?
    let bytesRead: UInt64
}
