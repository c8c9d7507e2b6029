// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The key A: the physical frames from the program's innermost own one outwards, by image and relative address, the same
/// before and after symbols.
enum AddressKey {
    /// A runtime that is linked into the program lies above the code that panicked: more frames are needed to reach it.
    private static let frames = (afterFault: 8, afterAbort: 16)

    /// None where no frame is the program's own, for a stack inside system libraries does not say who called; nor where the
    /// names show that the frames are a runtime's only.
    static func of(_ event: Event, _ stack: [ClassifiedFrame], _ choice: StackChoice) -> GroupingKey? {
        let physical = stack.filter { !$0.frame.inlined && $0.frame.trust != .scan }
        let own = physical.drop { $0.imageIsSystem || $0.frame.buildID == nil || $0.frame.relativeAddress == nil }
            .prefix(endsByItself(event) ? frames.afterAbort : frames.afterFault)
        let deciding = Set(choice.kept.compactMap(\.address))
        guard own.contains(where: { deciding.contains($0.address ?? "") }) else { return nil }
        return GroupingKey(kind: .addresses, material: [event.type.rawValue] + own.compactMap(\.address))
    }

    private static func endsByItself(_ event: Event) -> Bool {
        ["SIGABRT", "SIGTRAP", "SIGILL"].contains(event.reason?.signal)
    }
}
