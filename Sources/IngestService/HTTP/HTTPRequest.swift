// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// A request as handlers see it: routed, permitted, its body received within bounds.
struct HTTPRequest: Sendable {
    /// What was received.
    enum Body: Sendable {
        case none
        case memory(Data)
        case batch(BatchBody)
        /// A file that the handler may move; it is removed afterwards where it still is. The hash is of its bytes.
        case file(path: String, size: Int64, hash: String)
        case files(FileForm)
    }

    var method: String
    var path: String
    /// By lowercase name.
    var headers: [String: String]
    var query: [String: String]
    /// The path's parts that stand for `{name}` in the route's pattern.
    var parameters: [String: String] = [:]
    var fromLoopback: Bool
    /// The client's, by the connection or the proxy on this machine.
    var address = ""
    /// On its way from the client: by this server's TLS or that of a proxy.
    var isEncrypted = false
    var body: Body = .none
    /// What the request is about; nil on open routes.
    var project: Project?
    /// Whose key, token or session it is; nil on open routes.
    var caller: Caller?

    func header(_ name: String) -> String? { headers[name] }

    func cookie(_ name: String) -> String? {
        for pair in (headers["cookie"] ?? "").split(separator: ";") {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0] == name { return String(parts[1]) }
        }
        return nil
    }

    var contentLength: Int64? { headers["content-length"].flatMap { Int64($0) } }

    /// The media type without parameters, in lowercase.
    var mediaType: String? {
        guard let type = headers["content-type"] else { return nil }
        if type == "application/json" || type == Batch.partsMediaType { return type }
        return type.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } }
    }

    var bodyData: Data {
        if case .memory(let data) = body { data } else { Data() }
    }

    var batch: BatchBody {
        if case .batch(let batch) = body { batch } else { BatchBody(text: []) }
    }

    /// The fields of a form; the first of each name.
    var form: [String: String] {
        if case .files(let form) = body { form.fields } else { FormCoding.fields(bodyData) }
    }
}
