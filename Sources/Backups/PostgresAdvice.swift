// SPDX-License-Identifier: Apache-2.0
import BlobStore
import IngestService

/// What to do where the rows are in PostgreSQL, which copies them as they are at one moment by its own means.
struct PostgresAdvice {
    private let store: String
    private let folder: DataFolder.Layout?
    private let blobs: BlobAddress?

    /// - Parameter data: a server's data folder, where it is known.
    init(store: String, data: String?) {
        self.store = store
        folder = data.map { DataFolder.Layout($0) }
        blobs = folder.flatMap { BlobAddress.read($0) }
    }

    private var files: [String] {
        guard let folder else { return ["credentials.json and images of the servers' data folders"] }
        let images = blobs == nil ? [folder.images] : []
        return [folder.credentials] + images + (blobs == nil ? [] : [folder.blobs])
    }

    private var images: String {
        blobs.map { "The images are in \($0.address), which keeps them by its own means." }
            ?? "Copy the images after the rows: what the copy of the rows names is there then."
    }

    /// Commands, as they are to be typed.
    var text: String {
        """
        the rows are in PostgreSQL, and are copied by its own tools while the servers run:
          pg_dump --format=custom --file=vaka.dump '\(store)'
        Keep with it: \(files.joined(separator: ", ")). \(images)
        To restore, into a database that is new and empty:
          pg_restore --no-owner --exit-on-error --dbname='postgres://…/NEW' vaka.dump
        put the files into a new data folder, and start the servers with --store of that database\(blobs.map { " and \($0.options)" } ?? "").
        """
    }
}
