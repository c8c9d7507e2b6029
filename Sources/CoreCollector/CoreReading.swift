// SPDX-License-Identifier: Apache-2.0
import CoreFile

/// Reads a core from its first byte to its last, and keeps what a record needs. Notes come first in what kernels write:
/// what is to be kept is decided by them.
struct CoreReading {
    enum Outcome {
        case core(CollectedCore)
        /// The process had handlers of ours, and they left a record of that id; `place`: what tells so.
        case hasRecord(id: String, place: String)
    }

    private let head: CoreHead
    private let stream: CoreStream
    private let spool: CoreSpool
    private let limits: CollectLimits
    private let processID: Int32?
    private let opensFiles: Bool
    private var notes = CoreNotes()

    /// - Parameters:
    ///   - descriptor: the core's.
    ///   - spool: an empty file for what is kept; it is taken over.
    ///   - processID: what the process is called on this host, where that is known.
    ///   - opensFiles: whether files that the core names are opened.
    init(
        descriptor: Int32, spool: Int32, processID: Int32?, limits: CollectLimits, opensFiles: Bool = true
    ) throws(CollectError) {
        self.spool = CoreSpool(descriptor: spool)
        self.processID = processID
        self.opensFiles = opensFiles
        self.limits = limits
        stream = CoreStream(
            descriptor: descriptor, limit: limits.coreBytes, deadline: .now + limits.readingTime)
        head = try CoreHead(stream)
    }

    mutating func read() throws(CollectError) -> Outcome {
        // Those of a file can be read first wherever they lie, as debuggers put them last.
        let isFile = stream.isSeekable
        let isEarly = { (part: CoreHead.Part) in part.isNotes && isFile }
        let parts = head.parts.filter(isEarly) + head.parts.filter { !isEarly($0) }
        let first = parts.firstIndex { !$0.isNotes } ?? parts.endIndex
        for part in parts[..<first] { readNotes(part) }
        var surroundings = opensFiles ? Surroundings(notes, head.segments, processID) : Surroundings()
        if let run = surroundings.run, run.hasRecord {
            return .hasRecord(id: run.file.recordID, place: run.path)
        }
        if let earlier = surroundings.host.flatMap({ EarlierRecord(of: $0, notes: notes) }) {
            return .hasRecord(id: earlier.name, place: earlier.folder)
        }
        if !readLive(parts[first...], surroundings.host) {
            stream.hurry()
            readMemory(parts[first...], surroundings.images)
        }
        guard !notes.threads.isEmpty else {
            throw CollectError(
                "the core tells of no thread\(stream.end.map { ": \($0.words(stream.position))" } ?? "")")
        }
        if !surroundings.areKnown { surroundings = Surroundings(notes, head.segments, processID) }
        return .core(
            CollectedCore(
                machine: head.machine, architecture: head.architecture, segments: head.segments, notes: notes,
                spool: spool, images: surroundings.images, process: surroundings.process, run: surroundings.run,
                end: stream.end, bytesRead: stream.position))
    }

    /// What this host has of the process; known once the notes are.
    private struct Surroundings {
        let host: HostProcess?
        let process: ProcessFacts?
        let run: InstrumentedRun?
        let images: OpenImages
        let areKnown: Bool

        /// None.
        init() {
            (host, process, run, areKnown) = (nil, nil, nil, true)
            images = OpenImages()
        }

        init(_ notes: CoreNotes, _ segments: CoreSegments, _ processID: Int32?) {
            areKnown = !notes.files.isEmpty
            let host = processID.flatMap { HostProcess(id: $0, auxiliary: notes.auxiliary) }
            self.host = host
            process = host.map { ProcessFacts($0, notes: notes) }
            run = InstrumentedRun(notes: notes, process: host)
            images = OpenImages(notes: notes, segments: segments, process: host)
        }
    }

    private mutating func readNotes(_ part: CoreHead.Part) {
        guard stream.skip(to: part.offset) else { return }
        NoteStream(stream: stream, machine: head.machine).read(part.bytes, into: &notes)
    }

    private mutating func readMemory(_ parts: ArraySlice<CoreHead.Part>, _ images: OpenImages) {
        let mappings = FileMappings(notes)
        let plan = SpoolPlan(notes: notes, head: head, mappings: mappings, bytes: limits.spoolBytes)
        var missing = MissingImages(notes: notes, spool: spool, open: images, mappings: mappings)
        for part in parts where stream.end == nil {
            if part.isNotes {
                readNotes(part)
                continue
            }
            var from = part.address
            if missing.beginsImage(part) {
                from += min(part.bytes, MissingImages.page)
                keep(part.address..<from, of: part)
            }
            let whole = missing.kept(of: part)
            for range in whole.map({ [$0] }) ?? plan.kept(of: part) where range.upperBound > from {
                keep(max(from, range.lowerBound)..<range.upperBound, of: part)
            }
            _ = stream.skip(to: part.offset + part.bytes)
        }
    }

    /// Takes what is to be kept of a large core from the process itself, and leaves the rest of the core unread. False
    /// where that cannot be done.
    private func readLive(_ parts: ArraySlice<CoreHead.Part>, _ host: HostProcess?) -> Bool {
        let bytes = parts.reduce(UInt64(0)) { $0.addingReportingOverflow($1.bytes).partialValue }
        guard bytes > limits.pipedBytes, let host, let thread = notes.threads.first,
            let pointer = CoreRegisters.stackPointer(thread.registers, machine: head.machine),
            let memory = LiveMemory(host, probe: pointer)
        else { return false }
        let plan = SpoolPlan(notes: notes, head: head, mappings: FileMappings(notes), bytes: limits.spoolBytes)
        for part in parts where !part.isNotes {
            for range in plan.kept(of: part) {
                guard memory.read(range, { spool.add($0, $1) }) else { return false }
            }
        }
        return true
    }

    private func keep(_ range: Range<UInt64>, of part: CoreHead.Part) {
        guard stream.skip(to: part.offset + (range.lowerBound - part.address)) else { return }
        var address = range.lowerBound
        _ = stream.forEachPart(range.upperBound - range.lowerBound) { bytes in
            spool.add(address, bytes)
            address += UInt64(bytes.count)
        }
    }
}

extension CoreStream.End {
    /// For a person.
    func words(_ bytes: UInt64) -> String {
        switch self {
        case .ended: "it ended after \(bytes) bytes"
        case .timeLimit: "the time for reading it was over after \(bytes) bytes"
        case .byteLimit: "no more than \(bytes) bytes of it were to be read"
        case .failed(let code): "it could not be read after \(bytes) bytes: \(CollectError("errno", errno: code))"
        }
    }
}
