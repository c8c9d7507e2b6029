// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Chooses the frames that make the key F, and records why.
struct StackChoice {
    static let longestWalk = 40
    static let mostFrames = 5
    /// Explained frames; a stack overflow has thousands.
    static let mostExplained = 512

    private(set) var kept: [ClassifiedFrame] = []
    private(set) var explain: [FrameDecision] = []
    /// No app frame was found: `kept` holds system frames.
    private(set) var systemOnly = false

    /// Of a signal that another process sent, no frame tells anything: it met the program by chance where it was.
    init(_ frames: [ClassifiedFrame], wasSentFromOutside: Bool = false) {
        let cut = Self.leadingCut(frames)
        let base = frames.firstIndex { $0.frameClass == .threadBase } ?? frames.count
        systemOnly = !frames[min(cut, base)..<base].prefix(Self.longestWalk).contains { $0.isUsable(systemToo: false) }
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
    }

    /// How many frames at the head only end the program: up to the last such one before any app frame.
    private static func leadingCut(_ frames: [ClassifiedFrame]) -> Int {
        let head = frames.prefix { $0.frameClass != .app && $0.frameClass != .threadBase }
        return head.lastIndex { $0.frameClass.endsTheProgram }.map { $0 + 1 } ?? 0
    }

    /// Why the frame is not kept; nil to keep it.
    private func refuse(_ frame: ClassifiedFrame, index: Int, cut: Int, base: Int) -> String? {
        if index < cut { return "leads to the end of the program only" }
        if index >= base { return "at or below the thread's base" }
        if index - cut >= Self.longestWalk { return "beyond the \(Self.longestWalk) frames that are looked at" }
        if kept.count >= Self.mostFrames { return "\(Self.mostFrames) frames are enough" }
        if frame.frame.trust == .scan { return "found by scanning: a guess" }
        if !frame.isUsable(systemToo: systemOnly) {
            return frame.material == nil ? "has neither a name nor a place in an image" : "is no app code"
        }
        if kept.contains(where: { $0.material == frame.material }) { return "recursion: its function is there already" }
        return nil
    }
}

extension ClassifiedFrame {
    func isUsable(systemToo: Bool) -> Bool {
        guard material != nil, frame.trust != .scan else { return false }
        return frameClass == .app || (systemToo && frameClass != .threadBase && !frameClass.endsTheProgram)
    }
}
