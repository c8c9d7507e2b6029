// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

@testable import EventStore
@testable import IngestService

/// What lies on the disk, as somebody who took it would read it.
enum StoredContents {
    /// All that the SQLite database holds, its journal included, decompressed where it is compressed.
    static func rows(_ path: String) throws -> Data {
        let connection = try SQLConnection(path: path, readOnly: true)
        defer { connection.close() }
        var all = Data()
        let tables = try connection.query("SELECT name FROM sqlite_master WHERE type = 'table'") { $0.text(0) }
        // Their contents are in tables of their own.
        for table in tables where table != "issue_search" && table != "issue_words" {
            let columns = try connection.query("SELECT count(*) FROM pragma_table_info(?)", [.text(table)]) {
                $0.int(0)
            }
            let values = try connection.query("SELECT * FROM \"\(table)\"") { row in
                (0..<Int32(columns[0])).map { row.data($0) }
            }
            for value in values.joined() {
                all += (try? Zstandard.decompress(value)) ?? value
                all.append(0)
            }
        }
        return all
    }

    /// Every file below the folder.
    static func files(_ path: String) throws -> Data {
        try FileManager.default.subpathsOfDirectory(atPath: path).reduce(into: Data()) { all, name in
            all += (try? Data(contentsOf: URL(filePath: path + "/" + name))) ?? Data()
        }
    }
}
