// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import VakaModel

/// What the first start tells its owner, readable by the owner alone.
struct CredentialsFile: Codable, Equatable {
    var url: String
    var project: String
    var ingestKey: String
    var adminToken: String

    enum CodingKeys: String, CodingKey {
        case url, project
        case ingestKey = "ingest_key"
        case adminToken = "admin_token"
    }

    static func read(_ path: String) -> CredentialsFile? {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
        return try? ModelCoding.decode(CredentialsFile.self, from: data)
    }

    /// Whole or not at all, mode 0600 from its first byte.
    func write(_ path: String) throws(ServiceError) {
        guard var data = try? ModelCoding.encode(self, pretty: true) else {
            throw ServiceError("cannot write \(path)")
        }
        data.append(UInt8(ascii: "\n"))
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ServiceError.system("cannot write \(temporary)") }
        let bytes = [UInt8](data)
        let written = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        guard written, rename(temporary, path) == 0 else { throw ServiceError.system("cannot write \(path)") }
    }
}
