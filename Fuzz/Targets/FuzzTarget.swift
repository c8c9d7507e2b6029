// SPDX-License-Identifier: Apache-2.0

/// What takes bytes that nobody vouches for. `make fuzz` feeds each what libFuzzer makes up; `make test` the fixtures of
/// past findings. The raw values name the executables and the folders of their fixtures.
package enum FuzzTarget: String, CaseIterable, Sendable {
    case crashRecord = "CrashRecordFuzz"
    case elf = "ElfFuzz"
    case event = "EventFuzz"
    case coreFile = "CoreFileFuzz"
    case batch = "BatchFuzz"
    case demangle = "DemangleFuzz"
    case document = "DocumentFuzz"
    case journal = "JournalFuzz"
    case network = "NetworkFuzz"
    case observation = "ObservationFuzz"
    case recording = "RecordingFuzz"
    case sourceBundle = "SourceBundleFuzz"
    case symbolCache = "SymbolCacheFuzz"

    /// Comes back, whatever the bytes: a trap, a hang or a broken promise is a finding. Any thread.
    package func run(_ bytes: [UInt8]) {
        switch self {
        case .crashRecord: CrashRecordInput.run(bytes)
        case .elf: ElfInput.run(bytes)
        case .event: EventInput.run(bytes)
        case .coreFile: CoreFileInput.run(bytes)
        case .batch: BatchInput.run(bytes)
        case .demangle: DemangleInput.run(bytes)
        case .document: DocumentInput.run(bytes)
        case .journal: JournalInput.run(bytes)
        case .network: NetworkInput.run(bytes)
        case .observation: ObservationInput.run(bytes)
        case .recording: RecordingInput.run(bytes)
        case .sourceBundle: SourceBundleInput.run(bytes)
        case .symbolCache: SymbolCacheInput.run(bytes)
        }
    }
}
