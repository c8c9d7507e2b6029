// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Glibc
import HTTPClient
import VakaModel

/// Sends one file in parts. One that was cut off, by a broken connection or a kill, goes on where it was, for the service
/// knows the file by its digest.
///
/// Parts lie on the server that got them. Behind an address that many servers share the next part may meet another.
struct PartialUpload {
    /// The service's own bounds are wider; memory is needed for one part.
    private static let mostPartBytes = 64 << 20
    /// Parts that in a row do not bring the upload forward.
    private static let mostFailures = 5

    private struct State: Decodable {
        var uploadID: String
        var offset: Int64
        var partBytes: Int
        var result: UploadOutcome?

        enum CodingKeys: String, CodingKey {
            case uploadID = "upload_id"
            case partBytes = "part_bytes"
            case offset, result
        }
    }

    let session: ServiceSession
    let project: String
    let file: OpenFile

    /// `query` says what the file is. `progress` is called on this thread. Nil where the parts met servers that do not have
    /// each other's: the file has to go in one request.
    func run(
        _ query: [String: String], progress: ((_ sent: Int64, _ total: Int64) -> Void)?
    ) throws(ServiceError) -> UploadOutcome? {
        var query = query
        query["size"] = String(file.size)
        query["sha256"] = try file.sha256()
        let begun = try post("uploads", query)
        do {
            return try goOn(begun, progress)
        } catch {
            guard ["unknown_upload", "unfinished", "wrong_offset"].contains(error.serverCode) else { throw error }
            return nil
        }
    }

    private func goOn(
        _ begun: State, _ progress: ((_ sent: Int64, _ total: Int64) -> Void)?
    ) throws(ServiceError) -> UploadOutcome {
        var state = begun
        var failures = 0
        while state.result == nil, state.offset < file.size {
            let before = state.offset
            state = try next(state, progress)
            failures = state.offset > before ? 0 : failures + 1
            guard failures < Self.mostFailures else {
                throw ServiceError(
                    .badAnswer, "\(file.path): the upload does not go on at \(state.offset) bytes; try again later",
                    serverCode: "wrong_offset")
            }
        }
        if state.result == nil { state = try post("uploads/\(state.uploadID)/finish", [:], timeout: nil) }
        progress?(file.size, file.size)
        guard let result = state.result else {
            throw ServiceError(
                .badAnswer, "\(file.path): the service does not say what became of the upload; try again")
        }
        return result
    }

    /// The state after one more part, or after a look at where the service is.
    private func next(
        _ state: State, _ progress: ((_ sent: Int64, _ total: Int64) -> Void)?
    ) throws(ServiceError) -> State {
        let count = min(max(1, state.partBytes), Self.mostPartBytes, Int(clamping: file.size - state.offset))
        let part = try file.read(count, at: state.offset)
        do {
            return try post(
                "uploads/\(state.uploadID)", ["offset": String(state.offset)], part: part, timeout: nil
            ) { sent, _ in progress?(state.offset + min(sent, Int64(count)), file.size) }
        } catch {
            guard error.serverCode == "wrong_offset" else { throw error }
            // A part of a request that was cut off came through.
            let url = ProjectURL(session.endpoint, project).url("uploads/\(state.uploadID)")
            return try session.decode(
                State.self, try session.perform { () throws(ServiceError) in HTTPRequest(url: url) })
        }
    }

    private func post(
        _ path: String, _ query: [String: String], part: Data = Data(), timeout: Duration? = .seconds(60),
        progress: ((Int64, Int64) -> Void)? = nil
    ) throws(ServiceError) -> State {
        let url = ProjectURL(session.endpoint, project).url(path, query)
        let answer = try session.perform { () throws(ServiceError) in
            HTTPRequest(
                url: url, headers: ["Content-Type": "application/octet-stream"], body: .data(part), timeout: timeout,
                progress: progress)
        }
        return try session.decode(State.self, answer)
    }
}
