// SPDX-License-Identifier: Apache-2.0
import BlobStore

/// What the command line says of where images are.
struct BlobOptions {
    var address: String?
    var endpoint: String?
    var region: String?

    /// Nil where nothing is said of it.
    func checked() throws(UsageError) -> BlobAddress? {
        guard let address else {
            guard endpoint == nil, region == nil else {
                throw UsageError(message: "--s3-endpoint and --s3-region go with --blobs s3://BUCKET/PREFIX")
            }
            return nil
        }
        do throws(BlobError) {
            return try BlobAddress(address, endpoint: endpoint, region: region)
        } catch {
            throw UsageError(message: "--blobs: \(error)")
        }
    }
}
