// SPDX-License-Identifier: Apache-2.0
// Takes a value of a document for something that it is not.

@inline(never)
func age(_ document: [String: Any]) -> Int {
    let value = document["age"] as! Int
    return value + 1
}

@inline(never)
func summary(_ document: [String: Any]) -> String {
    let years = age(document)
    return "is \(years)"
}

let document: [String: Any] = ["name": "Ada", "age": "thirty-six"]
print(summary(document))
