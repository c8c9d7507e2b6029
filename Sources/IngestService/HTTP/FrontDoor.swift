// SPDX-License-Identifier: Apache-2.0
import Glibc
import VakaModel

/// Decides about a request by its headers alone: where it goes, whether it may, and where its body is put.
struct FrontDoor: Sendable {
    /// Of a body that is refused, so much is read in the hope of its end, so that the connection may be used again.
    static let mostUnanswered = 256 << 10
    /// Then it is answered, and so much is read and dropped before the connection is cut.
    static let mostDropped = 32 << 20

    let router: Router
    let authenticator: Authenticator
    let limits: ServiceLimits
    let temporaryFolder: String
    let uploads: UploadFolder
    let disk: DiskBudget

    /// Never waits longer than an indexed look-up takes.
    func open(_ head: HTTPRequest) -> Exchange {
        var request = head
        var kind = RouteClass.unknown
        do throws(APIError) {
            let (route, parameters) = try router.match(method: request.method, path: request.path)
            kind = RouteClass(route)
            request.parameters = parameters
            let admission = try authenticator.permit(route.access, request)
            request.project = admission?.project
            request.caller = admission?.caller
            return Exchange(request: request, route: route, kind: kind, phase: .receiving(try sink(route, request)))
        } catch {
            return Exchange(
                request: request, route: nil, kind: kind,
                phase: .refused(ErrorPage.shown(error.response, for: request), dropped: 0))
        }
    }

    /// The longest settings have room in any spelling; whoever has shown no right sends little.
    private static func mostBytes(_ request: HTTPRequest) -> Int { request.caller == nil ? 64 << 10 : 4 << 20 }

    private func sink(_ route: Route, _ request: HTTPRequest) throws(APIError) -> any BodySink {
        switch route.body {
        case .none, .form:
            return MemorySink(limit: Self.mostBytes(request))
        case .json:
            try require(request, mediaTypes: ["application/json"])
            return MemorySink(limit: Self.mostBytes(request))
        case .batch:
            try require(request, mediaTypes: ["application/json", Batch.partsMediaType])
            let format = try format(request)
            if let length = request.contentLength, length > Int64(limits.batchBytes) {
                throw MemorySink.tooLarge(limits.batchBytes, "as sent")
            }
            guard request.mediaType == Batch.partsMediaType else { return BatchSink(format, limits: limits) }
            guard format == nil else {
                throw APIError(
                    415, "unsupported_encoding",
                    "parts are compressed each by itself; send \(Batch.partsMediaType) without a content-encoding")
            }
            return PartsSink(limits: limits)
        case .image:
            try requireRoom(request)
            return try FileSink(folder: temporaryFolder, limit: limits.uploadBytes)
        case .files:
            try requireRoom(request)
            return try FileFormSink(
                contentType: request.header("content-type") ?? "", folder: temporaryFolder, limit: limits.uploadBytes)
        case .part:
            try disk.requireRoom()
            return try PartSink(uploads, request)
        }
    }

    /// For a body of files.
    private func requireRoom(_ request: HTTPRequest) throws(APIError) {
        try disk.requireRoom()
        if let length = request.contentLength, length > limits.uploadBytes {
            throw FileSink.tooLarge(limits.uploadBytes)
        }
    }

    private func require(_ request: HTTPRequest, mediaTypes: [String]) throws(APIError) {
        guard let type = request.mediaType, !mediaTypes.contains(type) else { return }
        throw APIError(
            415, "unsupported_media_type",
            "the body is \(type.prefix(80)); send \(mediaTypes.joined(separator: " or "))")
    }

    private func format(_ request: HTTPRequest) throws(APIError) -> Decompressor.Format? {
        switch request.header("content-encoding")?.lowercased() {
        case nil, "", "identity": nil
        case "gzip", "x-gzip": .gzip
        case "zstd": .zstd
        case let other?:
            throw APIError(
                415, "unsupported_encoding", "the body is encoded as \(other.prefix(40)); send gzip, zstd or identity")
        }
    }
}
