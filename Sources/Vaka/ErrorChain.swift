// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension Vaka {
    /// An error that knows what caused it: the causes are reported along with it.
    public protocol ErrorWithCauses: Error {
        /// What led to this error, the most important first. Called on the thread that captures the error.
        var underlyingErrors: [any Error] { get }
    }
}

/// An error and what caused it, as they are reported: the error itself first, each cause behind what it caused.
struct ErrorChain {
    static let limit = 16
    /// UTF-8 bytes of a description.
    static let messageLimit = 8192

    private(set) var errors: [ReportedError] = []
    private let keepsWholeURLs: Bool

    /// Foundation's errors carry the address that failed: it loses user, password, query and fragment, unless these are to
    /// be kept; also where another error holds them.
    init(_ error: any Error, keepsWholeURLs: Bool = false) {
        self.keepsWholeURLs = keepsWholeURLs
        add(error, causeOf: nil)
    }

    private mutating func add(_ error: any Error, causeOf: Int?) {
        guard errors.count < Self.limit else { return }
        let index = errors.count
        let parts = FoundationParts(error)
        var text = String(describing: error)
        if !keepsWholeURLs, parts.domain != nil || Self.tellsOfFoundation(text) { text = AddressText.shortened(text) }
        var reported = ReportedError(type: String(reflecting: type(of: error)), message: Self.bounded(text))
        reported.causeOf = causeOf
        (reported.domain, reported.code) = (parts.domain, parts.code)
        errors.append(reported)
        for cause in Self.causes(of: error) ?? parts.causes { add(cause, causeOf: index) }
    }

    /// Whether an error of Foundation is told within the text, as that of an enum that holds one.
    private static func tellsOfFoundation(_ text: String) -> Bool {
        text.firstRange(of: "NSErrorFailingURL") != nil || text.firstRange(of: "Error Domain=") != nil
    }

    private static func causes(of error: any Error) -> [any Error]? {
        switch error {
        case let error as any Vaka.ErrorWithCauses: return error.underlyingErrors
        case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
            DecodingError.valueNotFound(_, let context), DecodingError.typeMismatch(_, let context):
            return [context.underlyingError].compactMap { $0 }
        case EncodingError.invalidValue(_, let context): return [context.underlyingError].compactMap { $0 }
        default: return nil
        }
    }

    private static func bounded(_ text: String) -> String {
        text.utf8.count <= messageLimit ? text : String(decoding: text.utf8.prefix(messageLimit), as: UTF8.self) + "…"
    }
}
