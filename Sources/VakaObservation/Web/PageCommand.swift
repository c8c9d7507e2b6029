// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// What a page's script is told to do; it has no word for running a script.
struct PageCommand: Encodable, Sendable {
    var commandId: Int
    var kind: WebAction.Kind
    var elementId: String
    var text: String?
    var delta: ScreenPoint?

    init(_ id: Int, _ action: WebAction) {
        commandId = id
        kind = action.kind
        elementId = action.elementId
        text = action.text
        delta = action.delta
    }

    var bytes: [UInt8] { (try? ModelCoding.encode(self)).map { Array($0) } ?? [] }
}
