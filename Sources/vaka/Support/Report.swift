// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import FoundationEssentials
import VakaModel

/// A report named on the command line, of whichever kind it is.
enum Report {
    /// The document in a crash record or an event file; `-` is standard input.
    static func event(at path: String) throws -> Event {
        if let record = try crashRecord(at: path) { return record.event() }
        let data = try contents(path)
        do {
            return try ModelCoding.decode(Event.self, from: data)
        } catch {
            throw CommandError("\(path): neither a crash record nor an event document: \(reason(error))")
        }
    }

    /// The crash record at `path`; nil when it is a file of another kind.
    static func crashRecord(at path: String) throws -> CrashRecordFile? {
        let data = try contents(path)
        let start = data.prefix(8)
        if start.starts(with: [0x7f, 0x45, 0x4c, 0x46]) {
            throw CommandError(
                "\(path): an ELF file, not a crash record (.vakacrash) or an event document (JSON). "
                    + "Debug images go to --symbols")
        }
        let isDocument = data.first { !" \n\r\t".utf8.contains($0) } == UInt8(ascii: "{")
        if isDocument { return nil }
        do {
            return try CrashRecordFile(bytes: Array(data))
        } catch {
            throw CommandError("\(path): \(error.message)")
        }
    }

    private static func contents(_ path: String) throws -> Data {
        do {
            let data = try Data(contentsOf: URL(filePath: path == "-" ? "/dev/stdin" : path))
            guard data.count <= CrashRecordFile.maximumBytes else {
                throw CommandError("\(path): \(data.count) bytes; a report has at most \(CrashRecordFile.maximumBytes)")
            }
            return data
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(path): cannot be read: \(systemMessage(error))")
        }
    }

    /// Where in the document the first thing that does not fit stands.
    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        let (context, what): (DecodingError.Context, String) =
            switch error {
            case .keyNotFound(let key, let context): (context, "\"\(key.stringValue)\" is missing")
            case .typeMismatch(_, let context), .valueNotFound(_, let context): (context, context.debugDescription)
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "\(error)")
            }
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return path.isEmpty ? what : "at \(path): \(what)"
    }
}

/// What the system says of a failed file operation.
func systemMessage(_ error: any Error) -> String {
    if let cocoa = error as? CocoaError {
        if let posix = cocoa.underlying as? POSIXError { return describe(posix) }
        if cocoa.code == .fileReadNoSuchFile || cocoa.code == .fileNoSuchFile { return "there is no such file" }
        if cocoa.code == .fileReadNoPermission { return "permission denied" }
    }
    if let posix = error as? POSIXError { return describe(posix) }
    return "\(error)"
}

private func describe(_ error: POSIXError) -> String {
    String(cString: strerrorText(error.code.rawValue))
}
