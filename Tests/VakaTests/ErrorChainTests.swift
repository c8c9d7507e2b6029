// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing
import VakaModel

@testable import Vaka

private struct Leaf: Error {}

private struct Node: Vaka.ErrorWithCauses, CustomStringConvertible {
    var description: String
    var underlyingErrors: [any Error] = []
}

private enum Holder: Error {
    case transport(any Error)
}

/// Each has the next.
private struct Endless: Vaka.ErrorWithCauses {
    var underlyingErrors: [any Error] { [Endless()] }
}

@Suite struct ErrorChainTests {
    func shape(_ error: any Error) -> [String] {
        ErrorChain(error).errors.map { error in
            let name = error.type.split(separator: ".").last.map(String.init) ?? ""
            return "\(name) <- \(error.causeOf.map(String.init) ?? "")"
        }
    }

    @Test func causesStandBehindWhatTheyCaused() {
        let tree = Node(
            description: "a",
            underlyingErrors: [Node(description: "b", underlyingErrors: [Leaf()]), Node(description: "c")])
        let errors = ErrorChain(tree).errors
        #expect(errors.map(\.causeOf) == [nil, 0, 1, 0])
        #expect(errors.map(\.message) == ["a", "b", "Leaf()", "c"])
        #expect(errors.allSatisfy { $0.domain == nil && $0.code == nil })
    }

    @Test func itEnds() {
        #expect(ErrorChain(Endless()).errors.count == 16)
        let long = ErrorChain(Node(description: String(repeating: "é", count: 10_000))).errors
        #expect((long[0].message?.utf8.count ?? 0) <= 8192 + 6)
    }

    @Test func foundationsErrors() throws {
        let inner = NSError(domain: "inner", code: 7)
        let outer = NSError(domain: "outer", code: 8, userInfo: [NSUnderlyingErrorKey: inner])
        let errors = ErrorChain(outer).errors
        #expect(errors.map(\.domain) == ["outer", "inner"])
        #expect(errors.map(\.code) == [8, 7])
        let several = NSError(domain: "outer", code: 8, userInfo: ["NSMultipleUnderlyingErrorsKey": [inner, Leaf()]])
        #expect(ErrorChain(several).errors.map(\.causeOf) == [nil, 0, 0])

        let missing = #expect(throws: CocoaError.self) { try Data(contentsOf: URL(filePath: "/nowhere")) }
        let chain = ErrorChain(try #require(missing)).errors
        #expect(chain.map(\.type) == ["FoundationEssentials.CocoaError", "FoundationEssentials.POSIXError"])
        #expect(chain[0].code == 260)
        #expect(chain[1].message?.contains("No such file") == true)
        let url = URLError(.timedOut, userInfo: [NSUnderlyingErrorKey: inner])
        #expect(ErrorChain(url).errors.map(\.code) == [-1001, 7])
        #expect(ErrorChain(url).errors.map(\.domain) == ["NSURLErrorDomain", "inner"])
    }

    @Test func theAddressThatFailedIsToldWithoutItsSecrets() throws {
        let address = "https://me:secret@h/x?token=secret#secret"
        let failing: [String: Any] = [
            NSURLErrorFailingURLErrorKey: try #require(URL(string: address)),
            NSURLErrorFailingURLStringErrorKey: address, NSLocalizedDescriptionKey: "no <\(address)>",
        ]
        for error in [
            URLError(.timedOut, userInfo: failing) as any Error,
            NSError(domain: NSURLErrorDomain, code: -1001, userInfo: failing),
        ] {
            let outer = NSError(domain: "outer", code: 1, userInfo: [NSUnderlyingErrorKey: error])
            for told in ErrorChain(outer).errors + ErrorChain(error).errors {
                #expect(told.message?.contains("secret") == false, "\(told)")
            }
            #expect(ErrorChain(error).errors.first?.message?.contains("https://h/x") == true)
            #expect(ErrorChain(error, keepsWholeURLs: true).errors.first?.message?.contains(address) == true)
        }
        for inner in [
            URLError(.timedOut, userInfo: failing) as any Error,
            NSError(domain: NSURLErrorDomain, code: -1001, userInfo: failing),
        ] {
            let message = ErrorChain(Holder.transport(inner)).errors.first?.message
            #expect(message?.contains("secret") == false && message?.contains("https://h/x") == true)
            let whole = ErrorChain(Holder.transport(inner), keepsWholeURLs: true).errors.first?.message
            #expect(whole?.contains(address) == true)
        }
        // Texts of the program's own are left as they are.
        #expect(ErrorChain(Node(description: address)).errors.first?.message == address)
    }

    @Test func codingErrors() throws {
        let context = DecodingError.Context(codingPath: [], debugDescription: "d", underlyingError: Leaf())
        #expect(shape(DecodingError.dataCorrupted(context)) == ["DecodingError <- ", "Leaf <- 0"])
        #expect(shape(DecodingError.typeMismatch(Int.self, context)) == ["DecodingError <- ", "Leaf <- 0"])
        let encoding = EncodingError.Context(codingPath: [], debugDescription: "d", underlyingError: Leaf())
        #expect(shape(EncodingError.invalidValue(1, encoding)) == ["EncodingError <- ", "Leaf <- 0"])
    }
}
