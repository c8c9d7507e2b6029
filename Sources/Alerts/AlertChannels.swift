// SPDX-License-Identifier: Apache-2.0
package import EventStore
import FoundationEssentials
import VakaModel

/// Carries an alert to its target. Blocks, for some seconds at most; any thread.
package struct AlertChannels: Sendable {
    private let guarding: AddressGuard
    private let mail: MailServer?
    private let service: String

    /// - Parameters:
    ///   - service: the service's address, as people reach it.
    ///   - mail: nil where no mail can be sent.
    package init(service: String, mail: MailServer?, guarding: AddressGuard) {
        self.service = service
        self.mail = mail
        self.guarding = guarding
    }

    package func deliver(_ alert: Alert) throws(AlertFailure) {
        let text = AlertText(alert: alert, service: service)
        let target = alert.target
        switch target.channel {
        case .webhook:
            let webhook = Webhook(address: try WebAddress(target.address), guarding: guarding)
            let body = try Self.encoded(text.document)
            try webhook.post(body, headers: WebhookSignature.headers(of: body, secret: target.secret, id: text.id))
        case .slack:
            let webhook = Webhook(address: try WebAddress(target.address), guarding: guarding)
            try webhook.post(try Self.encoded(text.slackDocument), headers: [])
        case .email:
            guard let mail else {
                throw AlertFailure("the server can send no mail: it was started without --smtp", isFinal: true)
            }
            try mail.send(text, to: target.address)
        }
    }

    /// Throws what is wrong with where alerts are to go.
    package func check(_ channel: AlertTarget.Channel, _ address: String) throws(AlertFailure) {
        switch channel {
        case .webhook, .slack:
            // Its name may have another address tomorrow; at each delivery it is looked at again.
            _ = try guarding.pin(WebAddress(address).host)
        case .email:
            guard MailAddress.isOne(address) else { throw AlertFailure("\"\(address)\" is no e-mail address") }
            guard mail != nil else { throw AlertFailure("the server can send no mail: it was started without --smtp") }
        }
    }

    private static func encoded(_ make: () throws -> Data) throws(AlertFailure) -> Data {
        do {
            return try make()
        } catch {
            throw AlertFailure("the alert cannot be written: \(error)", isFinal: true)
        }
    }
}
