// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

extension WebViewBridge {
    private struct ScriptSettings: Encodable {
        var address: String
        var redactText: Bool
        var elements: Int
        /// Characters of a text.
        var text: Int
    }

    /// The script for the page, for a host to have it run at each document's start (or in a `script` of pages of its own).
    /// It posts to the server's loopback address and may do nothing there but speak for this web view; nil where the
    /// server has no such address.
    public func pageScript(server: ObservationServer) -> String? {
        guard let url = server.url else { return nil }
        let settings = ScriptSettings(
            address: url + "/webview/page/" + pageToken, redactText: policy.redactText, elements: policy.maxElements,
            text: SnapshotLimits.text / 4)
        guard let json = try? ModelCoding.encode(settings) else { return nil }
        // Within a script element, nothing of it may end that.
        let safe = String(decoding: json, as: UTF8.self).split(separator: "<").joined(separator: "\\u003c")
        return String(decoding: PackageResources.page_js, as: UTF8.self) + "(" + safe + ");\n"
    }
}
