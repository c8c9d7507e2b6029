// SPDX-License-Identifier: Apache-2.0

/// A bucket, a prefix within it, and whom to ask for it.
package struct S3Location: Sendable, Hashable {
    package let bucket: String
    /// Without slashes at its ends; may be empty.
    package let prefix: String
    package let region: String
    /// Nil for AWS itself.
    package let endpoint: String?

    /// - Parameters:
    ///   - address: `s3://BUCKET` or `s3://BUCKET/PREFIX`.
    ///   - endpoint: `http://…` or `https://…`, of a store other than AWS's.
    ///   - region: nil is `us-east-1`.
    package init(_ address: String, endpoint: String? = nil, region: String? = nil) throws(BlobError) {
        guard address.hasPrefix("s3://") else {
            throw BlobError(.local, "takes s3://BUCKET or s3://BUCKET/PREFIX, not \"\(address)\"")
        }
        let parts = address.dropFirst(5).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let bucket = String(parts[0])
        guard (3...63).contains(bucket.utf8.count), !bucket.hasPrefix("."), BlobKey.isRightPart(bucket) else {
            throw BlobError(.local, "\"\(bucket)\" is no name of a bucket: 3 to 63 letters, digits, dots and hyphens")
        }
        let prefix = parts.count < 2 ? "" : parts[1].split(separator: "/").joined(separator: "/")
        guard prefix.isEmpty || BlobKey.isRight(prefix) else {
            throw BlobError(.local, "the prefix \"\(prefix)\" has other characters than letters, digits and ._-/")
        }
        if let endpoint {
            guard endpoint.hasPrefix("http://") || endpoint.hasPrefix("https://"),
                !endpoint.utf8.contains(where: { $0 <= 0x20 || $0 > 0x7e }), !endpoint.contains("?")
            else { throw BlobError(.local, "the endpoint must be http://… or https://…, not \"\(endpoint)\"") }
        }
        let region = region ?? "us-east-1"
        guard !region.isEmpty, BlobKey.isRightPart(region) else {
            throw BlobError(.local, "\"\(region)\" is no region; one is called eu-central-1, for example")
        }
        self.bucket = bucket
        self.prefix = prefix
        self.region = region
        self.endpoint = endpoint.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }

    var name: String {
        "s3://" + bucket + (prefix.isEmpty ? "" : "/" + prefix) + (endpoint.map { " at \($0)" } ?? "")
    }

    /// With the prefix.
    func object(_ key: String) -> String { prefix.isEmpty ? key : prefix + "/" + key }

    /// Of an object, or of the bucket where that is empty. Names with dots do not fit certificates for one level.
    func url(_ object: String) -> String {
        if let endpoint { return "\(endpoint)/\(bucket)/\(object)" }
        return bucket.contains(".")
            ? "https://s3.\(region).amazonaws.com/\(bucket)/\(object)"
            : "https://\(bucket).s3.\(region).amazonaws.com/\(object)"
    }
}

/// What a caller proves itself with.
package struct S3Credentials: Sendable {
    let keyID: String
    let secret: String
    let sessionToken: String?

    package init(keyID: String, secret: String, sessionToken: String? = nil) {
        self.keyID = keyID
        self.secret = secret
        self.sessionToken = sessionToken
    }

    /// From AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.
    package init(environment: [String: String]) throws(BlobError) {
        func value(_ name: String) throws(BlobError) -> String? {
            guard let text = environment[name], !text.isEmpty else { return nil }
            guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                throw BlobError(.local, "\(name) has characters that no key has; copy it whole")
            }
            return text
        }
        guard let keyID = try value("AWS_ACCESS_KEY_ID"), let secret = try value("AWS_SECRET_ACCESS_KEY") else {
            throw BlobError(
                .local, "an S3 store needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment")
        }
        self.init(keyID: keyID, secret: secret, sessionToken: try value("AWS_SESSION_TOKEN"))
    }
}
