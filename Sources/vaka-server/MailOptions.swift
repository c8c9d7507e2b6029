// SPDX-License-Identifier: Apache-2.0
import Alerts
import Glibc

/// What the command line says of mails. The server's address may come by VAKA_SMTP, for it has a password in it.
struct MailOptions {
    var server = getenv("VAKA_SMTP").map { String(cString: $0) }
    var from: String?
    var authorities: String?

    /// Nil where no mail is to be sent.
    func checked() throws(UsageError) -> MailServer? {
        guard let server, !server.isEmpty else {
            guard from == nil else { throw UsageError(message: "--mail-from needs --smtp URL (or VAKA_SMTP)") }
            return nil
        }
        guard let from else {
            throw UsageError(message: "--smtp needs --mail-from ADDRESS: whom the mails are from")
        }
        do throws(AlertFailure) {
            return try MailServer(url: server, from: from, certificateAuthorities: authorities)
        } catch {
            throw UsageError(message: "--smtp: \(error)")
        }
    }
}
