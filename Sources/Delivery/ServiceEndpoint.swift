// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The address of a service: `http` or `https`, a host, and the path in front of its routes where it has one.
package struct ServiceEndpoint: Hashable, Sendable, CustomStringConvertible {
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
    }

    /// Without a slash at its end.
    package let base: String

    package init(url: String) throws(Invalid) {
        func invalid(_ why: String) -> Invalid {
            Invalid(description: "\"\(url)\" is no address of a service: \(why); write it as https://vaka.example.com")
        }
        guard let parsed = URL(string: url), let scheme = parsed.scheme?.lowercased() else {
            throw invalid("it is no URL")
        }
        guard scheme == "http" || scheme == "https" else { throw invalid("it starts with neither http: nor https:") }
        guard let host = parsed.host(percentEncoded: true), !host.isEmpty else { throw invalid("it names no host") }
        guard parsed.user() == nil, parsed.password() == nil else { throw invalid("it holds a user or a password") }
        guard parsed.query() == nil, parsed.fragment() == nil else { throw invalid("it has a query or a fragment") }
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
    }

    /// `path` starts with a slash.
    package func url(_ path: String) -> String { base + path }

    package static let ingestPath = "/api/v1/ingest"
    package static let settingsPath = "/api/v1/sdk-settings"

    package var description: String { base }
}
