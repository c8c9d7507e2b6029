// SPDX-License-Identifier: Apache-2.0
import BlobStore
import TestSupport

/// One server for the tests that only use it, each with a prefix of its own.
enum SharedS3 {
    static let server = Result { try S3Server() }

    static func store(partBytes: Int64 = 5 << 20) throws -> S3BlobStore {
        try server.get().store(prefix: "test-\(UInt64.random(in: 0 ... .max))", partBytes: partBytes)
    }
}

extension S3Server {
    func store(
        bucket: String = S3Server.bucket, prefix: String = "p", secret: String? = nil, partBytes: Int64 = 5 << 20
    ) throws -> S3BlobStore {
        S3BlobStore(
            try S3Location("s3://\(bucket)/\(prefix)", endpoint: endpoint),
            S3Credentials(keyID: keyID, secret: secret ?? self.secret), partBytes: partBytes)
    }
}
