// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Chooses the frames that make the key F, and records why.
struct StackChoice {
    static let longestWalk = 40
    static let mostFrames = 5
    /// A function that is there as often recurs.
    static let fewestRepeats = 3
    /// Explained frames; a stack overflow has thousands.
    static let mostExplained = 512

    private(set) var kept: [ClassifiedFrame] = []
    private(set) var explain: [FrameDecision] = []
    /// No app frame was found: `kept` holds system frames.
    private(set) var systemOnly = false
    /// The class that frames of the key have.
    private let wanted: FrameClass

    /// The functions of an endless recursion: of a stack that overflowed they decide, in the order of their names, for the
    /// end may come in any of them and in all that they call.
    private let recursion: Set<String>

    /// Of a signal that another process sent, no frame tells anything: it met the program by chance where it was.
    init(_ frames: [ClassifiedFrame], wasSentFromOutside: Bool = false, overflowed: Bool = false) {
        let cut = Self.leadingCut(frames)
        let base = frames.firstIndex { $0.frameClass == .threadBase } ?? frames.count
        let walk = frames[min(cut, base)..<base].prefix(Self.longestWalk)
        wanted = [.app, .entry].first { wanted in walk.contains { $0.isUsable(as: wanted) } } ?? .system
        systemOnly = wanted == .system
        recursion = overflowed ? Self.recursion(frames[min(cut, base)..<base], wanted) : []
        for (index, frame) in frames.enumerated() {
            let refusal =
                wasSentFromOutside
                ? "another process sent the signal, wherever this one was"
                : refuse(frame, index: index, cut: cut, base: base)
            if refusal == nil { kept.append(frame) }
            guard index < Self.mostExplained else { continue }
            explain.append(
                FrameDecision(
                    index: index, function: frame.material ?? frame.frame.instructionAddress.description,
                    module: frame.frame.module, rule: frame.rule, kept: refusal == nil,
                    why: refusal
                        ?? (systemOnly ? "no app frame: the nearest system frames decide" : "decides the group")))
        }
        if !recursion.isEmpty { kept.sort { ($0.material ?? "") < ($1.material ?? "") } }
    }

    private static func recursion(_ frames: ArraySlice<ClassifiedFrame>, _ wanted: FrameClass) -> Set<String> {
        var counts: [String: Int] = [:]
        for frame in frames.prefix(mostExplained) where frame.isUsable(as: wanted) {
            counts[frame.material ?? "", default: 0] += 1
        }
        return Set(counts.filter { $0.value >= fewestRepeats }.keys.sorted().prefix(mostFrames))
    }

    /// How many frames at the head only end the program: up to the last such one before any app frame.
    private static func leadingCut(_ frames: [ClassifiedFrame]) -> Int {
        let head = frames.prefix { ![.app, .entry, .threadBase].contains($0.frameClass) }
        return head.lastIndex { $0.frameClass.endsTheProgram }.map { $0 + 1 } ?? 0
    }

    /// Why the frame is not kept; nil to keep it.
    private func refuse(_ frame: ClassifiedFrame, index: Int, cut: Int, base: Int) -> String? {
        if index < cut { return "leads to the end of the program only" }
        if index >= base { return "at or below the thread's base" }
        if index - cut >= Self.longestWalk { return "beyond the \(Self.longestWalk) frames that are looked at" }
        if kept.count >= Self.mostFrames { return "\(Self.mostFrames) frames are enough" }
        if frame.frame.trust == .scan { return "found by scanning: a guess" }
        if !frame.isUsable(as: wanted) {
            if frame.frameClass == .entry { return "every stack of the main thread may end there" }
            return frame.material == nil ? "has neither a name nor a place in an image" : "is no app code"
        }
        if !recursion.isEmpty, !recursion.contains(frame.material ?? "") { return "is no part of the recursion" }
        if kept.contains(where: { $0.material == frame.material }) { return "recursion: its function is there already" }
        return nil
    }
}

extension ClassifiedFrame {
    /// Without any app frame the main function counts, without that any that does not merely end the program.
    func isUsable(as wanted: FrameClass) -> Bool {
        guard material != nil, frame.trust != .scan else { return false }
        return frameClass == wanted || (wanted == .system && frameClass != .threadBase && !frameClass.endsTheProgram)
    }
}
