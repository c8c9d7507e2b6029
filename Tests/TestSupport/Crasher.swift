// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A program of crashers/crashers.def, built by `make crashers`.
package struct Crasher: Decodable, Sendable, CustomStringConvertible {
    /// An application frame that the report must have.
    package struct ApplicationFrame: Decodable, Sendable {
        package var function: String
        package var file: String
        package var line: Int?
    }

    package var name: String
    package var language: String
    package var linked: Bool
    package var arguments: [String]
    package var signal: String
    package var code: String?
    package var exception: String?
    package var fault: String?
    package var access: String?
    package var recognised: String?
    package var message: String?
    package var messageSource: String?
    package var records: Int
    /// How many innermost frames are compared; nil: all.
    package var depth: Int?
    /// The declared physical frames where gdb is no truth.
    package var physical: [String]?
    /// The awaiting callers of the crashed task, innermost first.
    package var asyncCallers: [String]
    package var frames: [ApplicationFrame]

    private enum CodingKeys: String, CodingKey {
        case name, language, linked, arguments, signal, code, exception, fault, access, recognised, message
        case messageSource = "message_source"
        case records, depth, physical
        case asyncCallers = "async"
        case frames
    }

    package var description: String { name }
    package var executable: String { BuildProducts.crasher(name) }

    /// Every declared program; empty, and then a test of its own fails, when they are not built.
    package static let all: [Crasher] = {
        guard let data = try? Data(contentsOf: URL(filePath: BuildProducts.crasher("crashers.json"))) else { return [] }
        return (try? JSONDecoder().decode([Crasher].self, from: data)) ?? []
    }()
}
