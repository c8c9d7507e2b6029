// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What a sender says of a file: what it is, and how people call it.
struct UploadLabel {
    private static let longest = 256

    var kind: ArtifactKind
    var name: String?
    var release: String?
    /// Of a package: the image that it belongs to.
    var buildID: String?
}

extension UploadLabel {
    /// From a request's `kind`, `name`, `release` and `build_id`.
    init(_ request: HTTPRequest) throws(APIError) {
        kind = ArtifactKind(rawValue: request.query["kind"] ?? ArtifactKind.native.rawValue)
        guard [.native, .package, .sources].contains(kind) else {
            throw APIError(400, "unknown_kind", "\"kind\" must be native, package or sources")
        }
        name = Self.cut(request.query["name"])
        release = Self.cut(request.query["release"])
        buildID = try request.query["build_id"].map { text throws(APIError) in
            guard let buildID = BuildID(hex: text), buildID.bytes.count > 1 else {
                throw APIError(400, "invalid_build_id", "a build id is 4 to 64 hexadecimal digits")
            }
            return buildID.description
        }
    }

    private static func cut(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : String($0.prefix(longest)) }
    }
}
