// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport

/// Where a service keeps its images.
struct BlobHome {
    enum Kind: String, CaseIterable {
        case folder, s3
    }

    let arguments: [String]
    var environment: [String: String?] = [:]
    private var kept: TemporaryFolder?

    init(_ kind: Kind) throws {
        switch kind {
        case .folder:
            let folder = try TemporaryFolder()
            kept = folder
            arguments = ["--blobs", folder.path + "/blobs"]
        case .s3: self = BlobHome(try S3ForServices.server.get())
        }
    }

    /// A prefix of its own.
    init(_ server: S3Server) {
        arguments = [
            "--blobs", "s3://\(S3Server.bucket)/p\(UInt64.random(in: 0 ... .max))", "--s3-endpoint", server.endpoint,
        ]
        environment = server.environment
    }

    func server(
        _ more: [String] = [], folder: TemporaryFolder? = nil, credentials: ServerProcess.Credentials? = nil
    ) throws -> ServerProcess {
        try ServerProcess(arguments + more, folder: folder, credentials: credentials, environment: environment)
    }

    /// Ends a server, and starts one that has nothing of the images any more.
    func restartWithoutCache(_ server: ServerProcess, _ more: [String] = []) throws -> ServerProcess {
        server.process.kill(SIGTERM)
        _ = try server.process.wait()
        try FileManager.default.removeItem(atPath: server.folder.path + "/data/images")
        return try self.server(more, folder: server.folder)
    }
}

/// One for the tests that only use it.
enum S3ForServices {
    static let server = Result { try S3Server() }
}
