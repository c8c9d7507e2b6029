// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// A form with files, as it was received.
struct FileForm: Sendable {
    struct File: Sendable {
        /// As its owner calls it.
        var name: String
        /// Removed with the request where it still is.
        var path: String
        var hash: String
    }

    var fields: [String: String] = [:]
    var files: [File] = []
}

/// Takes `multipart/form-data` (RFC 7578) as it arrives: fields in memory, files into files of their own; all bounded.
final class FileFormSink: BodySink {
    private enum State {
        /// Before the first part, and after the last.
        case outside
        /// Right after a delimiter: two hyphens end the form, a line's end begins a part.
        case delimited
        case header
        case field(String)
        /// `sink` nil is a file that nobody chose.
        case file(String, FileSink?)
        case ended
    }

    /// Fields, files, and files that nobody chose.
    private static let mostParts = 64
    private static let mostFiles = 16
    private static let longestHeader = 8 << 10
    private static let longestField = 64 << 10

    private let delimiter: [UInt8]
    private let folder: String
    private var bytesLeft: Int64
    private let limit: Int64
    private var buffer: [UInt8] = Array("\r\n".utf8)
    /// What is before it in the buffer is done with.
    private var position = 0
    private var state = State.outside
    private var field: [UInt8] = []
    private var form = FileForm()
    private var sinks: [FileSink] = []
    private var names: [String] = []
    private var parts = 0

    /// - Parameters:
    ///   - contentType: the header, with its boundary.
    ///   - limit: bytes of the whole form.
    init(contentType: String, folder: String, limit: Int64) throws(APIError) {
        guard let boundary = Self.parameter("boundary", in: contentType), (1...70).contains(boundary.utf8.count) else {
            throw APIError(
                415, "unsupported_media_type",
                "the body must be multipart/form-data with a boundary, as browsers send it")
        }
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.folder = folder
        self.limit = limit
        bytesLeft = limit
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(APIError) {
        bytesLeft -= Int64(bytes.count)
        guard bytesLeft >= 0 else { throw FileSink.tooLarge(limit) }
        buffer.removeFirst(position)
        position = 0
        buffer.append(contentsOf: bytes)
        while try step() {}
    }

    func finish() throws(APIError) -> HTTPRequest.Body {
        guard case .ended = state else { throw Self.malformed("it ends within a part") }
        for (name, sink) in zip(names, sinks) {
            guard case .file(let path, _, let hash) = try sink.finish() else { continue }
            form.files.append(FileForm.File(name: name, path: path, hash: hash))
        }
        return .files(form)
    }

    func discard() {
        sinks.forEach { $0.discard() }
    }

    /// Goes on by one piece; false where more must come.
    private func step() throws(APIError) -> Bool {
        switch state {
        case .outside, .field, .file:
            return try content()
        case .delimited:
            guard buffer.count - position >= 2 else { return false }
            // The line's end stays: without headers the next one follows right away.
            state = buffer[position...].starts(with: "--".utf8) ? .ended : .header
            return true
        case .header:
            guard let end = find(Array("\r\n\r\n".utf8)) else {
                guard buffer.count - position <= Self.longestHeader else {
                    throw Self.malformed("a part's header is too long")
                }
                return false
            }
            let header = String(decoding: buffer[position..<end], as: UTF8.self)
            position = end + 4
            try begin(header)
            return true
        case .ended:
            position = buffer.count
            return false
        }
    }

    /// Up to the next delimiter, or as far as there is certainly none.
    private func content() throws(APIError) -> Bool {
        guard let end = find(delimiter) else {
            let certain = buffer.count - delimiter.count
            guard certain > position else { return false }
            try take(buffer[position..<certain])
            position = certain
            return false
        }
        try take(buffer[position..<end])
        position = end + delimiter.count
        if case .field(let name) = state { form.fields[name] = String(decoding: field, as: UTF8.self) }
        state = .delimited
        return true
    }

    private func take(_ bytes: ArraySlice<UInt8>) throws(APIError) {
        switch state {
        case .field:
            guard field.count + bytes.count <= Self.longestField else { throw Self.malformed("a field is too long") }
            field += bytes
        case .file(_, let sink?):
            var problem: APIError?
            bytes.withUnsafeBytes { bytes in
                do throws(APIError) { try sink.write(bytes) } catch { problem = error }
            }
            if let problem { throw problem }
        default: break
        }
    }

    private func begin(_ header: String) throws(APIError) {
        parts += 1
        guard parts <= Self.mostParts else { throw Self.malformed("it has more than \(Self.mostParts) parts") }
        let lines = header.split(whereSeparator: \.isNewline)
        guard let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
            let name = Self.parameter("name", in: String(line))
        else { throw Self.malformed("a part has no name") }
        guard let file = Self.parameter("filename", in: String(line)) else {
            field = []
            state = .field(name)
            return
        }
        guard !file.isEmpty else {
            state = .file(name, nil)
            return
        }
        guard sinks.count < Self.mostFiles else {
            throw Self.malformed("it has more than \(Self.mostFiles) files: send the others on their own")
        }
        let sink = try FileSink(folder: folder, limit: limit)
        sinks.append(sink)
        names.append(String(file.split(separator: "/").last ?? "file"))
        state = .file(name, sink)
    }

    /// A header's parameter, in quotes or not; browsers write a quote in it as %22.
    private static func parameter(_ name: String, in header: String) -> String? {
        for part in header.split(separator: ";").dropFirst() {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, pair[0].lowercased() == name else { continue }
            let value = pair[1].hasPrefix("\"") ? pair[1].dropFirst().prefix { $0 != "\"" } : pair[1]
            return String(value).replacing("%22", with: "\"")
        }
        return nil
    }

    /// Where in the buffer it is next.
    private func find(_ wanted: [UInt8]) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return nil }
            var place = position
            // Of files most bytes are passed over by memchr.
            while bytes.count - place >= wanted.count,
                let found = memchr(start + place, Int32(wanted[0]), bytes.count - place - wanted.count + 1)
            {
                place = UnsafeRawPointer(found) - start
                if memcmp(start + place, wanted, wanted.count) == 0 { return place }
                place += 1
            }
            return nil
        }
    }

    private static func malformed(_ what: String) -> APIError {
        APIError(400, "malformed_form", "the form cannot be read: \(what)")
    }
}
