// SPDX-License-Identifier: Apache-2.0
import BlobStore
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// One at a time: they change how the server answers.
@Suite(.serialized)
struct S3FailureTests {
    private static let server = Result { try S3Server() }

    private let server: S3Server

    init() throws {
        server = try Self.server.get()
        server.behave()
    }

    private func failure(_ work: () throws -> Void) -> BlobError? {
        do {
            try work()
            return nil
        } catch {
            return error as? BlobError
        }
    }

    @Test func `a secret that is not the key's is told`() throws {
        let store = try server.store(secret: "wrong")
        let error = try #require(failure { try store.check() })
        #expect(error.code == .refused)
        #expect(error.description.contains("SignatureDoesNotMatch: AWS_SECRET_ACCESS_KEY does not belong"))
    }

    @Test func `a bucket that is not there is told`() throws {
        let store = try server.store(bucket: "no-such-bucket")
        let error = try #require(failure { _ = try store.read("a") })
        #expect(error.code == .misplaced)
        #expect(error.description.contains("make the bucket no-such-bucket, or name another with --blobs"))
    }

    @Test func `refusals say which rights are needed`() throws {
        let store = try server.store()
        try server.fail(403, "AccessDenied", only: "PUT")
        let error = try #require(failure { try store.check() })
        #expect(error.code == .refused)
        #expect(error.description.contains("the key needs s3:GetObject, s3:PutObject"))
    }

    @Test func `another region is told`() throws {
        let store = try server.store()
        try server.fail(400, "AuthorizationHeaderMalformed")
        let error = try #require(failure { _ = try store.read("a") })
        #expect(error.code == .misplaced)
        #expect(error.description.contains("--s3-region"))
    }

    @Test func `errors that pass are tried again`() throws {
        let store = try server.store()
        _ = try store.put([7], at: "again", if: .always)
        try server.fail(503, "SlowDown")
        let before = try server.requests().count
        let error = try #require(failure { _ = try store.read("again") })
        #expect(error.code == .away)
        #expect(error.description.contains("SlowDown"))
        #expect(try server.requests().count == before + 4)
        server.behave()
        #expect(try store.read("again")?.bytes == [7])
    }

    @Test func `one that is down is away, and there again when it is up`() throws {
        let store = try server.store()
        _ = try store.put([5], at: "kept", if: .always)
        try server.stop()
        let error = try #require(failure { _ = try store.read("kept") })
        #expect(error.code == .away)
        #expect(error.isNoAnswer)
        #expect(error.description.contains("cannot be reached"))
        try server.start()
        #expect(try store.read("kept")?.bytes == [5])
    }

    @Test func `an upload in parts that fails leaves none`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/large"
        try Data(repeating: 1, count: 6 << 20).write(to: URL(filePath: path))
        let store = try server.store()
        try server.fail(403, "AccessDenied", only: "PUT")
        #expect(failure { try store.put(file: path, at: "large") }?.code == .refused)
        server.behave()
        #expect(try store.size("large") == nil)
        #expect(try store.removeRemains(before: Timestamp(milliseconds: .max / 2)) == 0)
    }

    @Test func `parts that a kill left are removed later`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/large"
        try Data(repeating: 1, count: 6 << 20).write(to: URL(filePath: path))
        let store = try server.store()
        // The upload can neither be finished nor given up.
        try server.fail(403, "AccessDenied", only: "DELETE")
        #expect(failure { try store.put(file: path, at: "whole") } == nil)
        try server.fail(403, "AccessDenied", only: "PUT")
        #expect(failure { try store.put(file: path, at: "left") } != nil)
        let unfinished = try #require(try server.requests().last { $0.hasPrefix("DELETE") })
        #expect(unfinished.contains("uploadId="), "it was given up")
    }
}

struct S3LocationTests {
    @Test(arguments: [
        "http://bucket", "s3://", "s3://a", "s3://b_/..", "s3://bucket/a b", "s3://bucket/../x", "s3://.bucket",
    ])
    func `what is no place in a store is refused`(_ address: String) {
        #expect(throws: BlobError.self) { try S3Location(address) }
    }

    @Test func `an endpoint must be an address`() {
        #expect(throws: BlobError.self) { try S3Location("s3://bucket", endpoint: "store:9000") }
        #expect(throws: BlobError.self) { try S3Location("s3://bucket", region: "a b") }
    }

    @Test func `keys come from the environment`() throws {
        _ = try S3Credentials(environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"])
        #expect(throws: BlobError.self) { try S3Credentials(environment: ["AWS_ACCESS_KEY_ID": "a"]) }
        #expect(throws: BlobError.self) {
            try S3Credentials(environment: ["AWS_ACCESS_KEY_ID": "a\n", "AWS_SECRET_ACCESS_KEY": "b"])
        }
    }
}
