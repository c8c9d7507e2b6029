// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CVakaRecord
import CoreFile
import CrashRecord
import Unwinding
import VakaModel

/// Makes a crash record of what was taken out of a core. It looks into files that nobody vouches for, unless it is told
/// not to: to be run in a child that may die over them.
struct RecordComposer {
    private let core: CollectedCore
    private let facts: CoreFacts
    private let limits: CollectLimits
    private let images: [CoreImage]
    private let files: AnalysedFiles
    private let memory: ImageMemory
    private let unwinder: PhysicalUnwinder?
    private let names: [Int: String]
    private var losses: [vaka_loss]
    /// By address.
    private var imagesWithoutFile: Set<UInt64> = []

    /// `usesFiles` false: only what the core itself tells, and each thread's innermost frame.
    init(_ core: CollectedCore, _ facts: CoreFacts, names: [Int: String], limits: CollectLimits, usesFiles: Bool) {
        self.core = core
        self.facts = facts
        self.limits = limits
        self.names = names
        let images = LoadedImages(core).images
        self.images = images
        let files = AnalysedFiles(
            images: images, open: usesFiles ? core.images : nil, memory: core.spool, machine: core.machine)
        self.files = files
        let memory = ImageMemory(spool: core.spool, images: images) { files.file(of: $0)?.descriptor }
        self.memory = memory
        let locate = { (image: DebugImage) in ImageFiles(openCode: files.file(of: image)?.descriptor) }
        unwinder =
            usesFiles
            ? PhysicalUnwinder(
                images: images.map(\.image), architecture: core.architecture, deadline: .now + limits.walkingTime,
                locate: locate
            ) { memory.bytes($0, $1) } : nil
        losses = CoreLosses(core).losses
    }

    private var keepsPointersOnly: Bool { core.run?.keepsPointersOnly == true }

    var header: vaka_record_header { RecordSections(core: core, facts: facts).header }

    /// Adds a loss that is known from outside.
    mutating func add(_ kind: vaka_loss_kind, argument: UInt32 = 0, value: UInt64 = 0) {
        losses.append(vaka_loss(kind: kind.rawValue, argument: argument, value: value))
    }

    /// The crashed thread first, with all that explains the crash; then the others.
    mutating func write(to writer: inout RecordFileWriter) throws(RecordFileWriter.Failure) {
        let sections = RecordSections(core: core, facts: facts)
        let reason = CoreReason(core.notes, machine: core.machine, memory: memory, segments: core.segments)
        try writer.add(VAKA_SECTION_REASON, sections.reason(reason))
        try writeRun(sections, &writer)
        if let sender = reason?.sender, let name = core.process?.senderName {
            try writer.add(VAKA_SECTION_SENDER, sections.sender(sender.pid, name: name))
        }
        guard let crashed = core.notes.threads.first else { return }
        let stack = try write(crashed, isCrashed: true, to: &writer)
        let texts = MessageTexts(images: images, memory: memory, files: files)
        let swiftBuffer = texts.swiftBuffer()
        let cxx = stack.flatMap { stack in
            texts.cxx(
                stackPointer: stack.frames.first?.stackPointer ?? 0, frames: stack.frames.map(\.instructionAddress))
        }
        for text in [texts.swift(buffer: swiftBuffer), cxx, texts.glibc()].compactMap({ $0 }) {
            try writer.add(VAKA_SECTION_TEXT, sections.text(text))
        }
        try writer.add(VAKA_SECTION_IMAGES, sections.images(images))
        try writeMemory(crashed, hasSwift: swiftBuffer != nil, sections, &writer)
        for thread in core.notes.threads.dropFirst() { _ = try write(thread, isCrashed: false, to: &writer) }
        try writeLosses(sections, &writer)
        try writer.end(nanoseconds: UInt64(max(0, (ContinuousClock.now - facts.started) / .nanoseconds(1))))
    }

    /// The run's own file where there was one, else what this host tells.
    private func writeRun(
        _ sections: RecordSections, _ writer: inout RecordFileWriter
    ) throws(RecordFileWriter.Failure) {
        // What the host saw last comes before what the run itself wrote down.
        var figures = core.process.map { RecordFileWriter.bytes($0.figures) }
        if let run = core.run {
            let parts = RunFileParts(run)
            try writer.add(VAKA_SECTION_RUN, parts.header)
            for context in parts.contexts { try writer.add(VAKA_SECTION_CONTEXT, context) }
            if !parts.breadcrumbs.isEmpty { try writer.add(VAKA_SECTION_BREADCRUMBS, parts.breadcrumbs) }
            if !parts.exchanges.isEmpty { try writer.add(VAKA_SECTION_EXCHANGES, parts.exchanges) }
            figures = figures ?? parts.figures
        } else {
            if let header = sections.runHeader() { try writer.add(VAKA_SECTION_RUN, header) }
            try writer.add(VAKA_SECTION_CONTEXT, HostFacts(core: core, facts: facts).context())
        }
        if let figures { try writer.add(VAKA_SECTION_FIGURES, figures) }
    }

    /// Returns its frames where it was walked.
    private mutating func write(
        _ thread: CoreNotes.Thread, isCrashed: Bool, to writer: inout RecordFileWriter
    ) throws(RecordFileWriter.Failure) -> PhysicalStack? {
        let sections = ThreadSections(
            thread, machine: core.machine, isCrashed: isCrashed, tellsPlaceOnly: keepsPointersOnly)
        try writer.add(VAKA_SECTION_THREAD, sections.thread(name: names[thread.id]))
        let stack = unwinder?.walk(sections.registers)
        for image in stack?.missingImages ?? [] { imagesWithoutFile.insert(image.imageAddress.rawValue) }
        try writer.add(VAKA_SECTION_FRAMES, sections.frames(stack))
        let wanted = isCrashed ? limits.stackBytes : limits.otherStackBytes
        if let slice = sections.stack(wanted, memory: core.spool) {
            try writer.add(VAKA_SECTION_STACK, slice)
        } else if isCrashed, !keepsPointersOnly {
            add(VAKA_LOSS_STACK_UNREADABLE, value: sections.stackPointer)
        }
        return stack
    }

    /// The code that crashed, the awaiting callers' contexts, and the vDSO, which has no file.
    private func writeMemory(
        _ crashed: CoreNotes.Thread, hasSwift: Bool, _ sections: RecordSections, _ writer: inout RecordFileWriter
    ) throws(RecordFileWriter.Failure) {
        let thread = ThreadSections(crashed, machine: core.machine, isCrashed: true)
        if !keepsPointersOnly || images.contains(where: { $0.image.contains(thread.programCounter) }),
            let code = sections.code(around: thread.programCounter, memory: memory)
        {
            try writer.add(VAKA_SECTION_MEMORY, code)
        }
        if hasSwift {
            var contexts = AsyncContexts(images: images, memory: core.spool)
            for thread in core.notes.threads {
                let thread = ThreadSections(thread, machine: core.machine, isCrashed: false)
                contexts.add(
                    contextRegister: (thread.registers["r14"] ?? thread.registers["x22"])?.rawValue,
                    stackPointer: thread.stackPointer)
            }
            for context in contexts.found {
                try writer.add(VAKA_SECTION_MEMORY, sections.memory(context.address, context.bytes))
            }
        }
        guard let vdso = images.first(where: \.isVDSO) else { return }
        let start = vdso.image.imageAddress.rawValue
        let bytes = core.spool.bytes(start, Int(min(vdso.image.imageSize, 1 << 16)))
        if !bytes.isEmpty { try writer.add(VAKA_SECTION_MEMORY, sections.memory(start, bytes)) }
    }

    private mutating func writeLosses(
        _ sections: RecordSections, _ writer: inout RecordFileWriter
    ) throws(RecordFileWriter.Failure) {
        if !imagesWithoutFile.isEmpty { add(VAKA_LOSS_IMAGE_FILES, value: UInt64(imagesWithoutFile.count)) }
        guard !losses.isEmpty else { return }
        try writer.add(VAKA_SECTION_LOSS, losses.flatMap { RecordFileWriter.bytes($0) })
    }
}
