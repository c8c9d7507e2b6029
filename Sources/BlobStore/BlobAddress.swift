// SPDX-License-Identifier: Apache-2.0

/// Where blobs are, as people say it.
package struct BlobAddress: Sendable, Hashable, Codable {
    /// `s3://BUCKET/PREFIX`, or a folder from the root.
    package var address: String
    package var endpoint: String?
    package var region: String?

    /// Throws what is wrong with it.
    package init(_ address: String, endpoint: String? = nil, region: String? = nil) throws(BlobError) {
        self.address = address
        self.endpoint = endpoint
        self.region = region
        guard !isFolder else {
            guard endpoint == nil, region == nil else {
                throw BlobError(.local, "--s3-endpoint and --s3-region are for --blobs s3://…")
            }
            return
        }
        _ = try S3Location(address, endpoint: endpoint, region: region)
    }

    /// - Parameter environment: for the keys of an S3 store.
    package func open(_ environment: [String: String]) throws(BlobError) -> any BlobStore {
        guard !isFolder else { return FolderBlobStore(folder: address) }
        return S3BlobStore(
            try S3Location(address, endpoint: endpoint, region: region), try S3Credentials(environment: environment))
    }

    /// As options of the command line.
    package var options: String {
        "--blobs \(address)" + (endpoint.map { " --s3-endpoint \($0)" } ?? "")
            + (region.map { " --s3-region \($0)" } ?? "")
    }

    private var isFolder: Bool { address.hasPrefix("/") }
}
