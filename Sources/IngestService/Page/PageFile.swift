// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A file that every page uses, the same for all readers. Its address names its content, so that it is fetched once and
/// never stale.
struct PageFile: Sendable {
    static let style = PageFile(path: "/style.css", type: .style, Data(Stylesheet.text.utf8))

    /// Pages are whole without it. Its parts share one scope.
    static let script = PageFile(
        path: "/vaka.js", type: .script,
        Data("\"use strict\";\n{\n".utf8)
            + [
                PackageResources.times_js, PackageResources.copy_js, PackageResources.poll_js,
                PackageResources.live_js, PackageResources.keys_js, PackageResources.forms_js,
                PackageResources.first_js, PackageResources.replay_js,
            ].reduce(into: Data()) { $0 += $1 }
            + Data("}\n".utf8))

    let path: String
    private let type: Route.Answer
    private let content: Data
    private let version: String

    private init(path: String, type: Route.Answer, _ content: Data) {
        self.path = path
        self.type = type
        self.content = content
        version = String(Secrets.derived(String(decoding: content, as: UTF8.self), for: "page file").prefix(16))
    }

    var address: String { "\(path)?v=\(version)" }

    func answer(_ service: Service, _ request: HTTPRequest) -> HTTPResponse {
        let isNamed = request.query["v"] == version
        return HTTPResponse(
            status: 200, contentType: type.rawValue + "; charset=utf-8", body: content,
            headers: [("Cache-Control", isNamed ? "public, max-age=31536000, immutable" : "no-cache")])
    }
}
