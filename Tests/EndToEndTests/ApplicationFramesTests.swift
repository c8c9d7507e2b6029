// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Symbolication
import TestSupport
import Testing
import VakaModel

/// From a real crash's record to functions, files and lines, with nothing but the files that are still there.
@Suite struct ApplicationFramesTests {
    private func symbolicated(_ crasher: Crasher) throws -> Event {
        Symbolicator(finder: ImageFinder()).symbolicate(try CrashRun.shared(crasher).event())
    }

    @Test(arguments: Crasher.reported)
    func everyApplicationFrameHasFileAndLine(crasher: Crasher) throws {
        let event = try symbolicated(crasher)
        let thread = try #require(event.crashedThread)
        let frames = thread.frames
        // Of a crash that nobody awaits, none is lacking. Another thread may still be leaving the task that this one
        // went on with, whose context is gone by then.
        if crasher.asyncCallers.last != "...?" {
            let lacks = event.loss.contains { $0.what == "awaiting callers of thread \(thread.id)" }
            #expect(lacks == (crasher.asyncCallers.last == "..."), "\(event.loss)")
        }
        var rest = frames[...]
        for expected in crasher.frames {
            let place = rest.firstIndex { Self.is($0, expected) }
            let index = try #require(place, "\(expected) in:\n\(Self.text(frames))")
            rest = rest[(index + 1)...]
        }
    }

    @Test(arguments: Crasher.all.filter { !$0.beside.isEmpty })
    func otherThreadsAreFoundWhereTheyAre(crasher: Crasher) throws {
        let threads = try symbolicated(crasher).threads.filter { !$0.crashed }
        for expected in crasher.beside {
            let thread = try #require(threads.first { $0.name == expected.name }, "\(threads.map(\.name))")
            #expect(thread.frames.contains { Self.is($0, expected.frame) }, "\(Self.text(thread.frames))")
        }
    }

    private static func `is`(_ frame: Frame, _ expected: Crasher.ApplicationFrame) -> Bool {
        (frame.function ?? "").contains(expected.function) && frame.file?.hasSuffix("/" + expected.file) == true
            && frame.line != nil && (expected.line == nil || frame.line == expected.line)
    }

    @Test(arguments: Crasher.all.filter { $0.physical != nil })
    func declaredFramesAreFound(crasher: Crasher) throws {
        try expectDeclaredFrames(crasher, in: try symbolicated(crasher))
    }

    /// The same from the handler's own walk.
    @Test(arguments: Crasher.all.filter { $0.physical != nil })
    func declaredFramesAreInTheRecord(crasher: Crasher) throws {
        let names = Symbolicator(finder: ImageFinder(), options: .init(unwinds: false))
        try expectDeclaredFrames(crasher, in: names.symbolicate(try CrashRun.shared(crasher).event()))
    }

    private func expectDeclaredFrames(_ crasher: Crasher, in event: Event) throws {
        let frames = try #require(event.crashedThread).frames
        let found = frames.filter { !$0.inlined && $0.trust != .async }.map { frame in
            frame.status == .noModule ? "nowhere" : frame.function ?? "?"
        }
        let comparison = FrameComparison(name: crasher.name, declared: crasher.physical ?? [], found: found)
        #expect(comparison.differences.isEmpty, "\(Self.text(frames))")
    }

    @Test(arguments: Crasher.all.filter { !$0.asyncCallers.isEmpty })
    func awaitingCallersFollow(crasher: Crasher) throws {
        let event = try symbolicated(crasher)
        let frames = try #require(event.crashedThread).frames
        var rest = frames.filter { $0.trust == .async }[...]
        for expected in crasher.asyncCallers where !expected.hasPrefix("...") {
            let place = rest.firstIndex { ($0.function ?? "").contains(expected) && $0.file != nil && $0.line != nil }
            let index = try #require(place, "\(expected) in:\n\(Self.text(frames))")
            rest = rest[(index + 1)...]
        }
    }

    @Test(arguments: Crasher.all.filter { $0.messageSource == "dwarf" })
    func trapReasonComesFromTheDebugInformation(crasher: Crasher) throws {
        let reason = try #require(try symbolicated(crasher).reason)
        #expect(reason.message?.contains(crasher.message ?? "?") == true, "\(reason)")
        #expect(reason.messageSource == .dwarf)
        #expect(reason.exception == crasher.exception)
    }

    private static func text(_ frames: [Frame]) -> String {
        frames.map { frame in
            "\(frame.trust) \(frame.module ?? "-") \(frame.function ?? "?") \(frame.file ?? "-"):\(frame.line ?? 0)"
        }.joined(separator: "\n")
    }
}
