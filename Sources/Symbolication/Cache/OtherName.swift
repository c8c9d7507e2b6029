// SPDX-License-Identifier: Apache-2.0

/// Another name of the same code.
struct OtherName: Hashable {
    var symbol: String
    /// Of another function in the debug information; else another symbol.
    var isFolded: Bool

    /// What it adds to a frame that is shown as `shown`: a clone's kind, an alias, or a function that was folded into it.
    func note(beside shown: String?) -> String? {
        guard let shown else { return nil }
        if let clone = CloneSuffix(of: symbol, shown: shown) { return clone.note }
        return (isFolded ? LookupFrame.folded : LookupFrame.alias) + symbol
    }
}
