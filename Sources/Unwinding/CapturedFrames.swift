// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The physical frames that a thread came with: found by the handler, or by an earlier walk.
struct CapturedFrames {
    let frames: [Frame]
    /// They lead to the stack's end, and none of them is a guess: nothing can be added.
    let isWhole: Bool

    init(of thread: ThreadState) {
        frames = thread.frames.filter { $0.trust != .async && !$0.inlined }
        isWhole = !frames.isEmpty && !thread.framesTruncated && frames.allSatisfy { Self.rank($0.trust) <= 1 }
    }

    /// Whether these are to stay, rather than those of a walk over the captured memory. Where the two part, the frame
    /// that was found in the better way decides; where they do not, the longer stack.
    func areBetter(than walk: StackWalk) -> Bool {
        let pairs = zip(frames, walk.frames)
        guard let (own, other) = pairs.first(where: { $0.instructionAddress != $1.instructionAddress }) else {
            return frames.count > walk.frames.count
        }
        let (left, right) = (Self.rank(own.trust), Self.rank(other.trust))
        guard left == right else { return left < right }
        return walk.end != .complete && frames.count > walk.frames.count
    }

    /// The surest first.
    private static func rank(_ trust: FrameTrust) -> Int {
        switch trust {
        case .context, .cfi: 0
        case .stackTop: 1
        case .framePointer: 2
        default: 3
        }
    }
}
