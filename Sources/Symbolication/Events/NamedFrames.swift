// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The names that an event already carries, by address. They stay where its images are not found any more: a document
/// does not lose what it said because it is read on another machine.
struct NamedFrames {
    private struct Place: Hashable {
        var address: HexAddress
        var trust: FrameTrust
    }

    private var known: [Place: [Frame]] = [:]

    init(_ event: Event) {
        for frames in event.threads.map(\.frames) + event.errors.map(\.frames) { add(frames) }
    }

    /// The levels for a physical frame whose image was not found; nil where they were not known before.
    func frames(for frame: Frame) -> [Frame]? {
        guard frame.status == .missingImage else { return nil }
        return known[Place(address: frame.instructionAddress, trust: frame.trust)]
    }

    private mutating func add(_ frames: [Frame]) {
        // Most events come without names.
        guard frames.indices.contains(where: { frames[$0].status != nil }) else { return }
        var levels: [Frame] = []
        for frame in frames {
            levels.append(frame)
            if frame.inlined { continue }
            if frame.status == .symbolicated || frame.status == .noDebugInfo {
                known[Place(address: frame.instructionAddress, trust: frame.trust)] = levels
            }
            levels = []
        }
    }
}
