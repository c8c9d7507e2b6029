// SPDX-License-Identifier: Apache-2.0
import BlobStore
import EventStore
import FoundationEssentials
import VakaModel

/// A refusal: status, a word for programs, and for people what is wrong and how to mend it.
package struct APIError: Error, Sendable {
    package var status: Int
    package var code: String
    package var message: String
    package var headers: [(name: String, value: String)] = []

    package init(_ status: Int, _ code: String, _ message: String, headers: [(name: String, value: String)] = []) {
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers
    }

    var response: HTTPResponse {
        let body = (try? ModelCoding.encode(ErrorReply(code: code, message: message))) ?? Data()
        var response = HTTPResponse(
            status: status, contentType: "application/json", body: body,
            headers: [("Cache-Control", "no-store")] + headers)
        response.refusal = code
        return response
    }

    static func notFound(_ what: String) -> APIError {
        APIError(404, "not_found", what)
    }

    /// The store failed: it is no fault of the request, which may be sent again.
    static func store(_ error: StoreError) -> APIError {
        let retry = [("Retry-After", "30")]
        switch error.code {
        case .full:
            return APIError(
                507, "storage_full",
                "the server's disk is full, and nothing of this request was kept; send it again later. Its operator frees "
                    + "space on the data folder's disk",
                headers: retry)
        case .readOnly:
            return APIError(
                503, "read_only",
                "the server's data folder cannot be written, and nothing of this request was kept; send it again later. Its "
                    + "operator finds in the system's log why its file system became read-only, mends it, and starts the "
                    + "server again",
                headers: retry)
        case .away:
            return APIError(
                503, "store_away",
                "the server's database cannot be reached; send this again later. What was sent may have been kept: sent again, "
                    + "it counts once",
                headers: [("Retry-After", "5")])
        case .exists:
            return APIError(409, "exists", "\(error); choose another name")
        case .busy, .failed, .cannotOpen, .damaged, .newerSchema, .wrongKey:
            return APIError(
                503, "store",
                "the server cannot store this now (\(error.code.rawValue)), and kept nothing of this request; "
                    + "send it again later. Its log says why",
                headers: retry)
        }
    }

    /// The store of images failed, or another machine was faster.
    static func blobs(_ error: BlobError) -> APIError {
        switch error.code {
        case .away, .refused, .misplaced:
            APIError(
                503, "images_away",
                "the store of images does not answer now, and nothing of this request was kept; send it again later. The "
                    + "server's log says why", headers: [("Retry-After", "10")])
        case .changed:
            APIError(
                503, "upload_busy", "another upload of the same image was faster; send it again",
                headers: [("Retry-After", "2")])
        case .local:
            APIError(507, "storage", "the server cannot keep the image: \(error)", headers: [("Retry-After", "30")])
        case .absent, .damaged: APIError(500, "image_damaged", "\(error)")
        }
    }

    /// What is stored takes more than it may, and nothing of it is given up.
    static func overBudget(_ budget: UInt64) -> APIError {
        APIError(
            507, "storage_full",
            "the server's disk budget (\(budget) bytes) is used up, and nothing of this request was kept; send it again "
                + "later. Its operator raises --disk-budget, keeps events for fewer days or removes unused debug images",
            headers: [("Retry-After", "60")])
    }

    static func unavailable(_ message: String) -> APIError {
        APIError(503, "unavailable", message, headers: [("Retry-After", "5")])
    }
}
