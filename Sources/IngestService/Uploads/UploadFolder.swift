// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Glibc
import VakaModel

/// Uploads that come in parts. Each has two files: `ID.json` says what it is, `ID.part` is what has come; both survive a
/// restart. Thread-safe.
struct UploadFolder: Sendable {
    /// Of one project, at one time.
    static let mostOpen = 64
    private static let days = 7

    let path: String

    init(path: String) {
        self.path = path
    }

    /// Nil for what is no id, or of another project, or not there.
    func upload(_ id: String, project: Int64) -> PartialUpload? {
        guard Self.isID(id), let data = try? Data(contentsOf: URL(filePath: record(id))),
            let upload = try? ModelCoding.decode(PartialUpload.self, from: data), upload.project == project
        else { return nil }
        return upload
    }

    /// Bytes that have come.
    func received(_ id: String) -> Int64 {
        var status = stat()
        return stat(part(id), &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Keeps what is known of it. What has come of it stays.
    func keep(_ upload: PartialUpload) throws(APIError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST, let data = try? ModelCoding.encode(upload) else {
            throw FileSink.failure("make the folder of uploads")
        }
        do {
            try data.write(to: URL(filePath: record(upload.id)), options: .atomic)
        } catch {
            throw FileSink.failure("keep the upload")
        }
    }

    /// How many of a project's have not come whole.
    func open(project: Int64) -> Int {
        ids.filter { id in upload(id, project: project).map { $0.result == nil } ?? false }.count
    }

    func part(_ id: String) -> String { path + "/" + id + ".part" }

    func remove(_ id: String) {
        unlink(part(id))
        unlink(record(id))
    }

    /// Removes those that nobody went on with for a week, and what is remembered of those that ended; their number.
    func removeOld(now: Timestamp = .now) -> Int {
        ids.filter { id in
            let age = now.milliseconds / 1000 - max(changed(part(id)), changed(record(id)))
            guard age > Int64(Self.days) * 86_400 else { return false }
            remove(id)
            return true
        }.count
    }

    private var ids: Set<String> {
        Set(StoreFiles.entries(path).compactMap { $0.split(separator: ".").first.map(String.init) }).filter(Self.isID)
    }

    private func record(_ id: String) -> String { path + "/" + id + ".json" }

    private func changed(_ file: String) -> Int64 {
        var status = stat()
        return stat(file, &status) == 0 ? Int64(status.st_mtim.tv_sec) : 0
    }

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
