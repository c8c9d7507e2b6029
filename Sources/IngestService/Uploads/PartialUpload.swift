// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// A file that comes in parts: what its sender said of it, and when it is here, what became of it.
struct PartialUpload: Codable {
    var project: Int64
    var kind: ArtifactKind
    /// Of the whole file, in bytes.
    var size: Int64
    /// SHA-256 of the whole file, in hexadecimal.
    var sha256: String
    /// Of a package: the image that it belongs to.
    var buildID: String?
    var name: String?
    var release: String?
    var result: UploadReply?

    /// The same file to the same project is the same upload, so that a sender that was killed finds its own again.
    var id: String {
        let parts = ["\(project)", kind.rawValue, sha256, "\(size)", buildID ?? ""]
        return Secrets.hash(parts.joined(separator: "\0")).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
