// SPDX-License-Identifier: Apache-2.0

/// Words that programs use, a few of them often and most of them rarely.
struct Vocabulary {
    let modules = ["core", "net", "http", "json", "render", "store", "auth", "billing", "media", "search"]
    private let verbs = [
        "parse", "load", "open", "close", "send", "receive", "decode", "encode", "find", "insert", "remove", "merge",
        "split",
        "flush", "commit", "retry", "resolve", "render", "measure", "sort", "filter", "copy", "grow", "reserve",
        "validate",
    ]
    private let nouns = [
        "Request", "Reply", "Session", "Token", "Header", "Frame", "Buffer", "Index", "Page", "Row", "Column",
        "Invoice",
        "Account", "Picture", "Track", "Query", "Cursor", "Socket", "Channel", "Cache", "Bundle", "Image", "Record",
        "Queue",
    ]

    func function(_ random: inout SplitMix64) -> String {
        let (module, verb) = (modules.randomElement(using: &random)!, verbs.randomElement(using: &random)!)
        let (noun, other) = (nouns.randomElement(using: &random)!, nouns.randomElement(using: &random)!)
        return "\(module).\(noun)\(other).\(verb)(from:count:)"
    }

    func file(of function: String) -> String {
        let parts = function.split(separator: ".")
        return "/src/\(parts[0])/Sources/\(parts[1]).swift"
    }

    func message(_ random: inout SplitMix64) -> String {
        let (verb, noun) = (verbs.randomElement(using: &random)!, nouns.randomElement(using: &random)!)
        return "cannot \(verb) the \(noun.lowercased()): it has \(random.next() % 40) entries"
    }

    /// Half of them are alike in all runs of a program, half name what it was about.
    func crumb(_ random: inout SplitMix64) -> String {
        let noun = nouns.randomElement(using: &random)!.lowercased()
        guard random.next() % 2 == 0 else { return "\(verbs.randomElement(using: &random)!) \(noun)" }
        return "GET /\(noun)s/\(random.next() % 100_000) 200"
    }
}

/// The same numbers at every run.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
