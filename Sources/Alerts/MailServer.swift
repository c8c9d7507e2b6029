// SPDX-License-Identifier: Apache-2.0
import CCurl
import Glibc

/// The server that takes the mails of this service.
package struct MailServer: Sendable {
    private static let milliseconds = 30_000

    private let url: String
    private let needsTLS: Bool
    private let from: String
    private let certificateAuthorities: String?

    /// - Parameters:
    ///   - url: `smtps://[USER:PASSWORD@]HOST[:PORT]`; `smtp://…` for STARTTLS, without which no mail is given to it;
    ///     `smtp+plain://…` for no encryption, on a network that one trusts.
    ///   - from: the sender's address.
    ///   - certificateAuthorities: a PEM file, in the place of the system's.
    package init(url: String, from: String, certificateAuthorities: String? = nil) throws(AlertFailure) {
        guard url.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw AlertFailure("the mail server's address must be of printable ASCII without spaces")
        }
        let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, ["smtp", "smtps", "smtp+plain"].contains(parts[0]) else {
            throw AlertFailure("the mail server is smtps://…, smtp://… (STARTTLS) or smtp+plain://…")
        }
        guard MailAddress.isOne(from) else { throw AlertFailure("\"\(from)\" is no e-mail address to send from") }
        self.url = (parts[0] == "smtps" ? "smtps" : "smtp") + "://" + parts[1]
        needsTLS = parts[0] != "smtp+plain"
        self.from = from
        self.certificateAuthorities = certificateAuthorities
    }

    func send(_ text: AlertText, to address: String) throws(AlertFailure) {
        guard MailAddress.isOne(address) else {
            throw AlertFailure("\"\(address)\" is no e-mail address", isFinal: true)
        }
        let message = MailMessage(from: from, to: address, subject: text.subject, text: text.text, id: text.id).bytes
        var status = 0
        var error = [CChar](repeating: 0, count: 512)
        let result = withCStrings(address) { url, from, to, authorities in
            message.withUnsafeBytes { bytes in
                var mail = vaka_mail(
                    server: url, needs_tls: needsTLS ? 1 : 0, from: from, to: to,
                    text: bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes: bytes.count,
                    timeout_ms: Self.milliseconds, ca_file: authorities)
                return vaka_mail_send(&mail, &status, &error, error.count)
            }
        }
        guard result != 0 else { return }
        let reason = String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // 550 and its like say that there is no such mailbox; others may be mended.
        throw AlertFailure(
            "the mail server did not take it (\(reason))", isFinal: (550...553).contains(status))
    }

    private func withCStrings<Result>(
        _ to: String,
        _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> Result
    ) -> Result {
        url.withCString { url in
            from.withCString { from in
                to.withCString { to in
                    guard let certificateAuthorities else { return body(url, from, to, nil) }
                    return certificateAuthorities.withCString { body(url, from, to, $0) }
                }
            }
        }
    }
}
