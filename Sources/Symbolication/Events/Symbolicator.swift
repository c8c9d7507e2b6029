// SPDX-License-Identifier: Apache-2.0
package import DebugImages
import Synchronization
import Unwinding
package import VakaModel

/// Turns the addresses of an event into functions, files and lines. The command and the service use the same one: equal
/// events and files give equal documents.
///
/// Any thread; one event at a time, as the files' readers are not thread-safe.
package final class Symbolicator: Sendable {
    package struct Options: Sendable {
        /// Which images are the program's own.
        package var inApp: InAppRules
        /// Walk the captured stacks first; false names the frames as they were captured.
        package var unwinds: Bool
        /// Files kept open between events.
        package var keptFiles: Int

        /// Where symbol caches are kept; nil for none.
        package var caches: SymbolCacheFolder?

        package init(
            inApp: InAppRules = InAppRules(), unwinds: Bool = true, keptFiles: Int = 16,
            caches: SymbolCacheFolder? = nil
        ) {
            self.inApp = inApp
            self.unwinds = unwinds
            self.keptFiles = keptFiles
            self.caches = caches
        }
    }

    /// What is kept between events.
    private struct Kept {
        var files: DebugFileCache
        var code: CodeFiles
        var sources: SourceReader?
    }

    private let finder: ImageFinder
    private let options: Options
    private let unwinder: Unwinder
    private let kept: Mutex<Kept>

    /// - Parameter sources: where the source around frames is looked for; nil shows none.
    package init(finder: ImageFinder, sources: SourceLookup? = nil, options: Options = .init()) {
        self.finder = finder
        self.options = options
        unwinder = Unwinder(finder: finder)
        kept = Mutex(
            Kept(
                files: DebugFileCache(capacity: options.keptFiles, caches: options.caches),
                code: CodeFiles(capacity: options.keptFiles),
                sources: sources.map(SourceReader.init)))
    }

    /// The event with every frame of its threads and errors named as far as the files go, each image's status, the reason
    /// completed, and `loss` for what could not be named. An event that was symbolicated before is done anew.
    package func symbolicate(_ event: Event) -> Event {
        defer { finder.activity?.rests() }
        let bare = Self.bare(event)
        let unwound = options.unwinds ? unwinder.unwind(bare) : bare
        return kept.withLock { kept in
            kept.code.beginEvent()
            let namer = FrameNamer(
                unwound, earlier: NamedFrames(event), finder: finder, rules: options.inApp, cache: kept.files,
                code: kept.code)
            let named = Self.named(unwound, namer)
            finder.activity?.rests()
            guard let sources = kept.sources else { return named }
            return SourceAttachment.attached(to: named, sources, debugPaths: namer.debugPaths)
        }
    }

    /// A symbolicated event with the source that there is for its frames now; nothing else of it changes.
    package func attachSources(to event: Event) -> Event {
        kept.withLock { kept in kept.sources.map { SourceAttachment.attached(to: event, $0) } ?? event }
    }

    /// Makes the symbol caches of the files that were used, so that later events are answered at once. For a service, after
    /// its answer; it may take a second for a large file.
    package func keepCaches() {
        defer { finder.activity?.rests() }
        kept.withLock { $0.files.keepCaches { finder.activity?.reads($0) } }
    }

    private static func named(_ event: Event, _ namer: FrameNamer) -> Event {
        var result = event
        for index in result.threads.indices { result.threads[index].frames = namer.name(result.threads[index].frames) }
        for index in result.errors.indices { result.errors[index].frames = namer.name(result.errors[index].frames) }
        for index in result.debugImages.indices {
            result.debugImages[index].status = namer.images[index]?.found.status ?? .unused
            result.debugImages[index].source = namer.images[index]?.found.source
        }
        if let reason = result.reason, let crashed = result.crashedThread {
            result.reason = SwiftFrames.complete(reason, from: crashed.frames)
        }
        result.loss += namer.loss.entries(namer.images)
        return result
    }

    /// As it was before symbolication: physical frames without names.
    private static func bare(_ event: Event) -> Event {
        var result = event
        for index in result.threads.indices { result.threads[index].frames = bare(result.threads[index].frames) }
        for index in result.errors.indices { result.errors[index].frames = bare(result.errors[index].frames) }
        result.loss.removeAll { loss in
            [SymbolLoss.mark, SourceAttachment.mark].contains { loss.what.hasPrefix($0) }
        }
        return result
    }

    private static func bare(_ frames: [Frame]) -> [Frame] {
        frames.filter { !$0.inlined }.map { frame in
            let notes = frame.notes.filter { $0 == Frame.interrupted || $0 == Frame.trapped }
            return Frame(instructionAddress: frame.instructionAddress, trust: frame.trust, notes: notes)
        }
    }
}
