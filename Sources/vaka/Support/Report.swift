// SPDX-License-Identifier: Apache-2.0
import CoreFile
import CrashRecord
import FoundationEssentials
import Glibc
import VakaModel

/// A report named on the command line, of whichever kind it is.
enum Report {
    case record(CrashRecordFile)
    case core(CoreFile)
    case document(Event)

    private static let elfMagic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

    /// Reads `path`, or standard input for `-`; the kind is told by the content. What a pipe gave is given as `piped`.
    static func read(_ path: String, piped: Data? = nil) throws -> Report {
        if piped == nil, isELF(path) { return .core(try CoreFile(path: path)) }
        let data = try piped ?? contents(path)
        if data.first(where: { !" \n\r\t".utf8.contains($0) }) == UInt8(ascii: "{") {
            return .document(try document(data, path: path))
        }
        return .record(try record(data, path: path))
    }

    /// What can be read only once, to be read before there may be several tries; nil for a file.
    static func piped(_ path: String) throws -> Data? {
        var status = stat()
        guard path == "-" || stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO else { return nil }
        return try contents(path)
    }

    /// The report as a document: unsymbolicated, unless it came as a symbolicated one.
    var event: Event {
        switch self {
        case .record(let file): file.event()
        case .core(let core): core.event()
        case .document(let event): event
        }
    }

    private static func record(_ data: Data, path: String) throws -> CrashRecordFile {
        do {
            return try CrashRecordFile(bytes: Array(data))
        } catch {
            throw CommandError("\(path): \(error.message)")
        }
    }

    private static func document(_ data: Data, path: String) throws -> Event {
        do {
            return try ModelCoding.decode(Event.self, from: data)
        } catch {
            throw CommandError("\(path): no event document: \(DocumentFault(error))")
        }
    }

    /// A regular file that begins as ELF files do; a pipe can be read once only, so it is not looked at.
    private static func isELF(_ path: String) -> Bool {
        guard BoundedFile.isRegular(path), let file = fopen(path, "rb") else { return false }
        defer { fclose(file) }
        var start = [UInt8](repeating: 0, count: 4)
        return fread(&start, 1, 4, file) == 4 && start == elfMagic
    }

    private static func contents(_ path: String) throws -> Data {
        let limit = CrashRecordFile.maximumBytes
        let bytes: [UInt8]
        do {
            bytes =
                try path == "-" ? BoundedFile.read(descriptor: 0, limit: limit) : BoundedFile.read(path, limit: limit)
        } catch {
            throw CommandError("\(path): cannot be read: \(systemMessage(error))")
        }
        guard bytes.count <= limit else { throw CommandError("\(path): a report has at most \(limit) bytes") }
        return Data(bytes)
    }
}

/// What the system says of a failed file operation.
func systemMessage(_ error: any Error) -> String {
    if let cocoa = error as? CocoaError {
        if let posix = cocoa.underlying as? POSIXError { return String(cString: strerror(posix.code.rawValue)) }
        if cocoa.code == .fileReadNoSuchFile || cocoa.code == .fileNoSuchFile { return "there is no such file" }
        if cocoa.code == .fileReadNoPermission { return "permission denied" }
    }
    if let posix = error as? POSIXError { return String(cString: strerror(posix.code.rawValue)) }
    return "\(error)"
}
