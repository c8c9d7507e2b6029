// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Symbolication
import VakaModel

/// Compares answers with those of the symbolizers that are installed.
struct LookupCheck {
    private let file: DebugFile
    private let count: Int
    private let json: Bool

    private static let mostShown = 3
    private static let mostAddresses = 10_000_000

    init(file: DebugFile, count: String, json: Bool) throws {
        guard let number = Int(count), number > 0, number <= Self.mostAddresses else {
            throw UsageError("lookup: --check takes a number of addresses, not \"\(count)\"")
        }
        (self.file, self.count, self.json) = (file, number, json)
    }

    func run() throws {
        let addresses = try CodeAddresses.random(file.path, count: count)
        let peers = OtherSymbolizer.installed
        guard !peers.isEmpty else {
            throw CommandError("neither llvm-symbolizer nor addr2line is installed; apt-get install llvm or binutils")
        }
        for peer in peers {
            let answers = try peer.answers(file.path, addresses)
            guard !answers.isEmpty else {
                Terminal.complain("\(peer.name): no answers\n")
                continue
            }
            var tally = DifferenceTally(peer: peer.name)
            for (address, other) in zip(addresses, answers) {
                let ours = levels(address)
                let names = file.otherNames(at: address)
                let difference = AnswerDifference(
                    ours: ours, other: other, aliases: names.aliases, folded: names.folded, columns: peer.hasColumns)
                tally.add(difference, address: address, ours: ours, other: other)
            }
            StandardOutput.write(json ? try tally.json + "\n" : tally.text(examples: Self.mostShown))
        }
    }

    private func levels(_ address: UInt64) -> [AnswerLevel] {
        let frames = file.lookup(address: address)
        return frames.isEmpty ? [AnswerLevel(LookupFrame())] : frames.map { AnswerLevel($0) }
    }
}
