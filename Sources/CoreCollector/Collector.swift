// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
import Glibc

/// Makes a crash record of a core that comes down a pipe. For a process with one thread, of which it takes over the
/// limits of open files.
package struct Collector {
    /// What the kernel told beside the core.
    package struct Options: Sendable {
        package var storage: String
        /// As this host calls the process.
        package var processID: Int32?
        /// Seconds since 1970.
        package var time: UInt64?
        package var hostName: String?
        package var executable: String?
        package var limits = CollectLimits()

        package init(storage: String) { self.storage = storage }
    }

    package enum Outcome: Equatable, Sendable {
        /// `program`: of what; `remark`: what a person should know of it, if anything.
        case recorded(path: String, program: String, remark: String?)
        /// The same core was collected before.
        case alreadyCollected(path: String)
        /// The program's own handlers left a record; `place`: what tells so.
        case alreadyCaught(record: String, place: String)
    }

    private static let diskFull: Int32 = 3
    private static let graceSeconds: Int64 = 30

    private let options: Options
    private let folder: RecordFolder
    private let started = ContinuousClock.now

    package init(_ options: Options) throws(CollectError) {
        self.options = options
        // A file that may not grow is an error of the write.
        signal(SIGXFSZ, SIG_IGN)
        folder = try RecordFolder(storage: options.storage)
        let most = options.limits.records
        guard folder.count(upTo: most) < most else {
            throw CollectError(
                "\(folder.path) holds \(most) records already, and this one is not added; vaka submit sends them")
        }
    }

    /// Reads the core from a descriptor, to its end unless that would take too long.
    package func collect(from descriptor: Int32) throws(CollectError) -> Outcome {
        // A file system that a stranger's program serves may never answer.
        let limits = options.limits
        alarm(UInt32(clamping: Int64((limits.readingTime + limits.analysisTime * 2) / .seconds(1)) + Self.graceSeconds))
        var reading = try CoreReading(
            descriptor: descriptor, spool: try folder.makeFile(), processID: options.processID, limits: options.limits)
        switch try reading.read() {
        case .hasRecord(let id, let place): return .alreadyCaught(record: id, place: place)
        case .core(let core): return try record(core)
        }
    }

    private func record(_ core: CollectedCore) throws(CollectError) -> Outcome {
        let facts = CoreFacts(
            core, time: options.time, hostName: options.hostName, executable: options.executable, started: started)
        guard !folder.hasRecord(facts.name) else {
            return .alreadyCollected(path: folder.recordPath(facts.name))
        }
        let record = try folder.makeRecord()
        let remark = try write(core, facts, to: record)
        guard try folder.keep(record, facts.name) else {
            return .alreadyCollected(path: folder.recordPath(facts.name))
        }
        let name = core.notes.programName ?? "a program"
        let program = core.notes.processID.map { "\(name), process \($0)" } ?? name
        return .recorded(path: folder.recordPath(facts.name), program: program, remark: remark)
    }

    /// First with a look into the images' files, in a child; should that die of it, without.
    private func write(_ core: CollectedCore, _ facts: CoreFacts, to record: RecordFile) throws(CollectError) -> String?
    {
        let names = threadNames(core)
        let first = ConfinedChild.run(atMost: options.limits.analysisTime) {
            compose(RecordComposer(core, facts, names: names, limits: options.limits, usesFiles: true), record)
        }
        if first == .exited(0) { return nil }
        if first == .exited(Self.diskFull) { return try partial(record) }
        record.empty()
        let second = ConfinedChild.run(atMost: options.limits.analysisTime) {
            var composer = RecordComposer(core, facts, names: names, limits: options.limits, usesFiles: false)
            composer.add(first)
            return compose(composer, record)
        }
        if second == .exited(Self.diskFull) { return try partial(record) }
        guard second == .exited(0) else {
            throw CollectError("the core could not be read: \(Self.words(second)), and without its images' files, too")
        }
        return "without frames, as the images' files could not be read: \(Self.words(first))"
    }

    private func compose(_ composer: RecordComposer, _ record: RecordFile) -> Int32 {
        var composer = composer
        do throws(RecordFileWriter.Failure) {
            var writer = try RecordFileWriter(descriptor: record.descriptor, header: composer.header)
            try composer.write(to: &writer)
            return 0
        } catch {
            return Self.diskFull
        }
    }

    /// A record is read as far as it goes.
    private func partial(_ record: RecordFile) throws(CollectError) -> String {
        guard record.bytes > MemoryLayout<vaka_record_header>.size else {
            throw CollectError("the record cannot be written to \(folder.path): is the disk full?")
        }
        return "it is not whole: no more could be written to \(folder.path)"
    }

    /// What the process is called is the name of its first thread.
    private func threadNames(_ core: CollectedCore) -> [Int: String] {
        var names = core.process?.threadNames ?? [:]
        if let id = core.notes.processID, names[id] == nil { names[id] = core.notes.programName }
        return names
    }

    private static func words(_ end: ConfinedChild.End) -> String {
        switch end {
        case .exited(let status): "exit status \(status)"
        case .signalled(let signal): "signal \(signal)"
        case .timeLimit: "it took too long"
        case .failed(let code): String(cString: strerror(code))
        }
    }
}

extension RecordComposer {
    /// Says that an earlier attempt, which looked into the images' files, came to nothing.
    fileprivate mutating func add(_ end: ConfinedChild.End) {
        switch end {
        case .signalled(let signal):
            add(VAKA_LOSS_ANALYSIS, argument: VAKA_ANALYSIS_DIED.rawValue, value: UInt64(signal))
        case .timeLimit: add(VAKA_LOSS_ANALYSIS, argument: VAKA_ANALYSIS_TIME.rawValue)
        default: add(VAKA_LOSS_ANALYSIS, argument: VAKA_ANALYSIS_FAILED.rawValue)
        }
    }
}
