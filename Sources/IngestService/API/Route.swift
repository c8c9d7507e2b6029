// SPDX-License-Identifier: Apache-2.0

/// One method at one address: who may, what body it takes, what answers. The API's description is made from these.
struct Route: Sendable {
    enum BodyPolicy: Sendable {
        case none, form, json, batch, image
        /// A form with files.
        case files
        /// A part of an upload, appended to what is there.
        case part
    }

    /// The media type of what it answers when all is well.
    enum Answer: String {
        case json = "application/json"
        case page = "text/html"
        case text = "text/plain"
        case style = "text/css"
        case script = "text/javascript"
        case bytes = "application/octet-stream"
        case core = "application/x-core"
    }

    typealias Handler = @Sendable (Service, HTTPRequest) throws -> HTTPResponse

    /// Answers later, on any thread, by the closure; once, unless it throws. Where `mayWait` is false it is not to be held
    /// up, and returns false, having done nothing, to be called again where it may wait.
    typealias LateHandler =
        @Sendable (Service, HTTPRequest, _ mayWait: Bool, @escaping @Sendable (HTTPResponse) -> Void) throws -> Bool

    var method: String
    /// Parts in braces stand for one part of the path; a last part `{name...}` for all that follow.
    var pattern: String
    var access: Access
    var body: BodyPolicy = .none
    var summary: String
    var query: [String] = []
    /// Of those, what must be there.
    var required: Set<String> = []
    /// Of a JSON body.
    var fields: [RouteField] = []
    /// Which of the fields go together; empty where any do. Fields in no combination go with each.
    var combinations: [[RouteField]] = []
    /// Fields of other names are taken, too.
    var takesOtherFields = false
    var handler: Handler = { _, _ in throw APIError.notFound("nothing answers here") }
    /// In the place of the other.
    var lateHandler: LateHandler?
    var answer: Answer = .json
}
