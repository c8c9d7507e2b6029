// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import VakaModel

/// The document's reason, out of the record's and the texts that explain it.
struct ReasonBuilder {
    let reason: vaka_reason
    let texts: [RecordContents.Text]
    let sender: vaka_sender?

    /// The text nearest to the crash first: who writes it, aborts next.
    private static let sources: [(vaka_text_source, MessageSource)] = [
        (VAKA_TEXT_SWIFT, .swift), (VAKA_TEXT_CXX, .cxx), (VAKA_TEXT_GLIBC, .glibc), (VAKA_TEXT_HOST, .host),
    ]

    func build() -> Reason {
        let message = Self.message(of: texts)
        return Reason(
            signal: SignalNames.signal(reason.signal), number: Int(reason.signal),
            code: SignalNames.code(reason.code, signal: reason.signal),
            exception: SignalNames.exception(
                signal: reason.signal, code: reason.code, isSwiftTrap: message?.source == .swift),
            faultAddress: has(VAKA_REASON_FAULT_ADDRESS) ? HexAddress(reason.fault_address) : nil,
            senderPID: senderPID, message: message?.text, messageSource: message?.source, access: access, kind: kind,
            senderName: senderName)
    }

    /// A signal that the process sent itself has no sender worth telling.
    private var senderPID: Int? {
        has(VAKA_REASON_SENDER) && reason.sender_pid != reason.pid ? Int(reason.sender_pid) : nil
    }

    private var senderName: String? {
        guard let sender, senderPID == Int(sender.pid) else { return nil }
        return text(byteArray(sender.name))
    }

    private var access: FaultAccess? {
        if has(VAKA_REASON_EXECUTE) { return .execute }
        if has(VAKA_REASON_WRITE) { return .write }
        return has(VAKA_REASON_READ) ? .read : nil
    }

    private var kind: ReasonKind? {
        if has(VAKA_REASON_STACK_OVERFLOW) { return .stackOverflow }
        return has(VAKA_REASON_NULL_CALL) ? .nullCall : nil
    }

    /// The text that explains most.
    static func message(of texts: [RecordContents.Text]) -> (text: String, source: MessageSource)? {
        for (kind, source) in sources {
            guard let found = texts.first(where: { $0.head.source == kind.rawValue }) else { continue }
            let trimmed = found.text.trimmingTrailingNewlines
            if !trimmed.isEmpty { return (trimmed, source) }
        }
        return nil
    }

    private func has(_ flag: vaka_reason_flag) -> Bool { reason.flags & flag.rawValue != 0 }
}

extension String {
    fileprivate var trimmingTrailingNewlines: String {
        var text = self[...]
        while let last = text.last, last.isNewline || last == " " { text.removeLast() }
        return String(text)
    }
}
