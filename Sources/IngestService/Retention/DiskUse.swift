// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore

/// What the data folder takes on the disk, by what it is. The database's journal, 64 MiB at most, is not counted.
struct DiskUse {
    var database: StoreSize
    var symbolCaches: UInt64
    /// Images from other servers.
    var fetched: UInt64
    var images: UInt64
    /// Uploads under way, and what is remembered of files.
    var others: UInt64

    /// Walks the folders: it takes some milliseconds for thousands of files.
    init(folder: String, store: any EventStore) throws {
        // What a database elsewhere takes is its administrator's to bound.
        database = store.isInFolder ? try store.size() : StoreSize(all: 0, unused: 0)
        symbolCaches = FolderSize.bytes(DataFolder.symbolCaches(folder))
        fetched = FolderSize.bytes(DataFolder.fetchedImages(folder))
        images = FolderSize.bytes(DataFolder.images(folder))
        others = ["/tmp", "/malformed", "/uploads", "/vaka.db-spool"].reduce(0) { $0 + FolderSize.bytes(folder + $1) }
    }

    var bytes: UInt64 { database.all + symbolCaches + fetched + images + others }
    /// Without what the database would give back.
    var needed: UInt64 { bytes - min(bytes, database.unused) }
}
