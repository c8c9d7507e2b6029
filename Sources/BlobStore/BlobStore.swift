// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Files by key, kept where many machines may reach them. A key is a path of letters, digits and `._-`, its parts parted
/// by slashes; none begins with a dot.
///
/// Any thread; every call may wait for a network, within bounds of its own. Where a call fails, what was there before is
/// there still.
package protocol BlobStore: Sendable {
    /// For people: where it is.
    var name: String { get }

    /// Puts the whole file at `path`, which is not written to meanwhile. Nobody sees a part of it, and to put the same again
    /// changes nothing.
    func put(file path: String, at key: String) throws(BlobError)
    /// Puts a few bytes, if the condition holds; else throws `changed`.
    func put(_ bytes: [UInt8], at key: String, if condition: BlobCondition) throws(BlobError) -> BlobVersion
    /// Writes a blob to a new file and gives its bytes' SHA-256 in hexadecimal. Throws `absent` where there is none; a failure
    /// leaves no file.
    func fetch(_ key: String, to path: String) throws(BlobError) -> String
    /// A blob of a few bytes; nil where there is none.
    func read(_ key: String) throws(BlobError) -> (bytes: [UInt8], version: BlobVersion)?
    /// Bytes; nil where there is none.
    func size(_ key: String) throws(BlobError) -> Int64?
    /// Whatever is not there is removed already.
    func remove(_ key: String) throws(BlobError)
    /// Those whose keys begin with `prefix`, in the order of their keys' bytes, behind the key `after`.
    func list(_ prefix: String, after: String?) throws(BlobError) -> BlobPage
    /// Removes what puts that were cut off before `time` left behind; their number.
    func removeRemains(before time: Timestamp) throws(BlobError) -> Int
}

/// When small bytes may be put.
package enum BlobCondition: Sendable, Hashable {
    case always
    /// There is nothing under the key.
    case absent
    /// What is there is still what was read.
    case unchanged(BlobVersion)
}

/// Tells what is under a key from what will be.
package struct BlobVersion: Sendable, Hashable, Codable {
    let text: String
}

package struct BlobPage: Sendable {
    package struct Blob: Sendable, Hashable {
        package var key: String
        package var size: Int64
        package var modified: Timestamp
    }

    package var blobs: [Blob]
    /// Where to go on; nil at the end.
    package var next: String?
}

extension BlobStore {
    /// Puts, reads and removes a blob of a few bytes, so that what is wrong is known before it matters.
    package func check() throws(BlobError) {
        let key = "check/\(UInt64.random(in: 0 ... .max))"
        let bytes = Array("vaka".utf8)
        _ = try put(bytes, at: key, if: .always)
        guard try read(key)?.bytes == bytes else {
            throw BlobError(.damaged, "\(name) does not give back what was put there")
        }
        try remove(key)
    }

    /// Every blob under a prefix, page by page.
    package func all(_ prefix: String) throws(BlobError) -> [BlobPage.Blob] {
        var (found, next): ([BlobPage.Blob], String?) = ([], nil)
        repeat {
            let page = try list(prefix, after: next)
            found += page.blobs
            next = page.next
        } while next != nil
        return found
    }
}

/// What a key may be.
package enum BlobKey {
    package static func isRight(_ key: String) -> Bool {
        key.utf8.count <= 512
            && key.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && !part.hasPrefix(".") && isRightPart(part)
            }
    }

    static func isRightPart(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                || "._-".utf8.contains(byte)
        }
    }
}
