// SPDX-License-Identifier: Apache-2.0
package import CVakaRecord
import FoundationEssentials
package import VakaModel

/// The run file of a run that is over (or still lives): docs/crash-record-format.md.
package struct RunFile: Sendable {
    package let header: vaka_run_header
    package let context: RunContext
    package let breadcrumbs: [Breadcrumb]
    /// Breadcrumbs that were being written when the run ended.
    package let tornBreadcrumbs: Int
    /// The last exchanges with other services, those in flight included.
    package let network: NetworkHistory?
    /// Exchanges that were being written when the run ended.
    package let tornExchanges: Int
    /// What the process used when it was last looked at.
    package let figures: ProcessFigures?

    package var runID: String { hexText(byteArray(header.run_id)) }
    /// The id of the record that a crash of this run leaves.
    package var recordID: String { hexText(byteArray(header.record_id)) }
    package var pid: Int { Int(header.pid) }
    package var started: Timestamp { Timestamp(nanoseconds: header.started_realtime_ns) }
    package var state: vaka_run_state { vaka_run_state(rawValue: header.state) }
    /// What was hanging when the run's file was written last; nil where nothing was.
    package var hang: RunHang? { RunHang(header.hang) }
    package var bootID: String { hexText(byteArray(header.boot_id)) }
    package var architecture: String? {
        Architecture(elfMachine: UInt16(truncatingIfNeeded: header.architecture))?.rawValue
    }

    /// The last sign of life: the figures, or a breadcrumb after them.
    package var lastSeen: Timestamp {
        max(started, max(figures?.taken ?? started, breadcrumbs.last?.timestamp ?? started))
    }

    /// Seconds from the start to `time`; nil where the clock was set back meanwhile.
    func uptime(at time: Timestamp?) -> Double? {
        if let figures, time == nil || time == figures.taken, figures.uptimeClock >= header.started_boottime_ns {
            return Double((figures.uptimeClock - header.started_boottime_ns) / 1_000_000) / 1000
        }
        guard let time, time >= started else { return nil }
        return Double(time.milliseconds - started.milliseconds) / 1000
    }

    package var session: Session? { SessionReader.session(context: context, run: header) }

    /// What lies beyond is not read: a run file has some 200 KB.
    private static let maximumBytes = 16 * 1024 * 1024

    package init(contentsOf path: String) throws {
        let bytes = try BoundedFile.contents(of: path, limit: Self.maximumBytes)
        do {
            try self.init(bytes: bytes)
        } catch {
            throw CrashRecordError(error.code, "\(path): \(error.message)")
        }
    }

    package init(bytes: [UInt8]) throws(CrashRecordError) {
        guard let header = Self.header(bytes[...]) else {
            throw CrashRecordError(.notARecord, "no run file: its header is cut or does not match its checksum")
        }
        self.header = header
        let buffer = Int(header.context_buffer_bytes)
        let slots = Int(header.breadcrumb_slots).multipliedReportingOverflow(by: Int(header.breadcrumb_slot_bytes))
        guard buffer <= 1 << 24, !slots.overflow, slots.partialValue <= 1 << 26 else {
            throw CrashRecordError(.notARecord, "no run file: its header claims sizes beyond any bound")
        }
        var reader = ByteReader(bytes.dropFirst(MemoryLayout<vaka_run_header>.size))
        let buffers = (0..<2).compactMap { _ in reader.next(count: min(buffer, reader.remaining)) }
        context = RunContext.newest(buffers) ?? RunContext()
        let rest = reader.rest
        let ring = BreadcrumbSlots(rest.prefix(slots.partialValue))
        breadcrumbs = ring.breadcrumbs
        tornBreadcrumbs = ring.torn
        figures = ProcessFigures.newest(rest.dropFirst(slots.partialValue))
        let exchanges = ExchangeSlots(rest.dropFirst(slots.partialValue + 2 * Int(VAKA_FIGURES_BYTES)))
        network = exchanges.history
        tornExchanges = exchanges.torn
    }

    /// A run header whose constant part matches its checksum, or nil.
    static func header(_ bytes: ArraySlice<UInt8>) -> vaka_run_header? {
        var reader = ByteReader(bytes)
        guard bytes.starts(with: VAKA_RUN_MAGIC.utf8), let header = reader.next(vaka_run_header.self),
            let checked = MemoryLayout<vaka_run_header>.offset(of: \.header_crc)
        else { return nil }
        let crc = bytes.prefix(checked).withUnsafeBytes { vaka_crc32(0, $0.baseAddress, $0.count) }
        return crc == header.header_crc && header.version == UInt32(VAKA_RUN_VERSION) ? header : nil
    }
}
