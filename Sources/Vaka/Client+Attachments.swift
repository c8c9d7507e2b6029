// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import VakaModel

extension Client {
    func attachFile(_ path: String, name: String?) -> Bool {
        let name = name ?? path.split(separator: "/").last.map(String.init) ?? path
        guard let core, !name.isEmpty else { return false }
        let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        let isKept = state.withLock { state in
            guard state.files.contains(name) || state.files.count < Vaka.Attachment.most else { return false }
            state.files.insert(name)
            return true
        }
        guard isKept else { return false }
        if core.set(.attachment, name, absolute) { return true }
        state.withLock { _ = $0.files.remove(name) }
        return false
    }

    func detachFile(_ name: String) {
        state.withLock { _ = $0.files.remove(name) }
        core?.set(.attachment, name, nil)
    }

    func attach(_ attachments: [Vaka.Attachment], to event: String) {
        for (number, attachment) in attachments.prefix(Vaka.Attachment.most).enumerated() {
            add(.attachment(attachment.told(of: event, limit: options.attachmentLimit), number: number))
        }
    }
}
