// SPDX-License-Identifier: Apache-2.0
// A program whose top level throws what nobody catches.

struct MissingFile: Error {
    var name: String
}

@inline(never)
func readSettings(_ name: String) throws -> Int {
    if name.count > 3 { throw MissingFile(name: name) }
    return name.count
}

let settings = try readSettings("shop.conf")
print("settings: \(settings)")
