// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CGetopt
import Glibc

/// The options and arguments of one call.
struct ParsedOptions {
    fileprivate(set) var values: [String: [String]] = [:]
    fileprivate(set) var arguments: [String] = []

    var wantsHelp: Bool { has("help") }

    func has(_ name: String) -> Bool { values[name] != nil }

    /// The last value given.
    func value(_ name: String) -> String? { values[name]?.last }

    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// `--format text` or `--format json`, text when not given.
    func wantsJSON() throws -> Bool {
        switch value("format") {
        case nil, "text": false
        case "json": true
        case .some(let other): throw UsageError("--format is \"text\" or \"json\", not \"\(other)\"")
        }
    }

    /// The value of an option, or of a variable of the environment.
    func required(_ name: String, variable: String) throws -> String {
        if let value = value(name) { return value }
        if let value = getenv(variable) { return String(cString: value) }
        throw UsageError("--\(name) is missing (or set \(variable))")
    }
}

/// Parses with getopt_long: long options anywhere, `--name value` and `--name=value`, `-o value` where an
/// option has a letter too; `--` ends them.
struct OptionParser {
    private let options: [Manual.Option]

    init(_ manual: Manual) {
        options = manual.options + [Manual.Option("help", nil, "", letter: "h")]
    }

    func parse(_ words: [String]) throws -> ParsedOptions {
        var parsed = ParsedOptions()
        let argv: [UnsafeMutablePointer<CChar>?] = (["vaka"] + words).map { strdup($0) } + [nil]
        let names = options.map { strdup($0.name) }
        defer { (argv + names).forEach { free($0) } }
        var table = zip(options, names).map { entry, name in
            option(name: name, has_arg: entry.value == nil ? 0 : 1, flag: nil, val: 0)
        }
        table.append(option())

        let letters = options.compactMap { entry in entry.letter.map { "\($0)" + (entry.value == nil ? "" : ":") } }
        var arguments = argv
        optind = 0
        opterr = 0
        var index: Int32 = 0
        while true {
            let asked = optind
            let found = getopt_long(Int32(words.count + 1), &arguments, ":" + letters.joined(), table, &index)
            if found == -1 { break }
            let given = found == 0 ? options[Int(index)] : options.first { $0.isLetter(found) }
            guard let given else {
                throw refusal(missingValue: found == Int32(UInt8(ascii: ":")), arguments, asked: asked)
            }
            parsed.values[given.name, default: []].append(optarg.map { String(cString: $0) } ?? "")
        }
        parsed.arguments = (Int(optind)..<words.count + 1).compactMap { arguments[$0].map { String(cString: $0) } }
        return parsed
    }

    private func refusal(
        missingValue: Bool, _ arguments: [UnsafeMutablePointer<CChar>?], asked: Int32
    ) -> UsageError {
        let word = arguments[max(1, Int(optind) - 1)].map { String(cString: $0) } ?? ""
        return missingValue
            ? UsageError("\(word) needs a value")
            : UsageError("there is no option \(word); --help lists them")
    }
}
