// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Privacy
import VakaModel

/// A version of a network record that is not read.
struct RefusedSchema {
    let error: UnsupportedNetworkSchema
    /// The version without its secrets: it is a text of whoever sent it.
    let told: String

    init(_ error: UnsupportedNetworkSchema, _ scrubber: PayloadScrubber) {
        self.error = error
        guard let scrubbed = scrubber.scrub(text: Data(error.receivedVersion.utf8)) else {
            told = error.receivedVersion
            return
        }
        let text = String(decoding: scrubbed, as: UTF8.self)
        let longest = NetworkSchema.longestVersion
        told =
            text.unicodeScalars.count > longest
            ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest - 1))) + "…" : text
    }

    func diagnostic(of application: String, suppressed: Int) -> NetworkSchemaDiagnostic {
        var diagnostic = NetworkSchemaDiagnostic(
            error, bundleID: application, suppressedCount: suppressed > 0 ? suppressed : nil)
        diagnostic.receivedVersion = told
        return diagnostic
    }
}
