// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension Capture.Entry {
    /// Whether the element can be acted on in this way.
    func takes(_ kind: ObservationActionKind) -> Bool {
        enabled && visible && (element.actions.map { $0.contains(kind) } ?? element.role.takes(kind))
    }
}

extension ElementRole {
    /// What elements of this role take where the host does not say.
    func takes(_ kind: ObservationActionKind) -> Bool {
        switch kind {
        case .tap, .longPress, .swipe: true
        case .insertText, .clearText: isTextEntry || self == .comboBox
        case .scroll: [.scrollArea, .list, .textArea, .webView, .window].contains(self)
        }
    }
}
