// SPDX-License-Identifier: Apache-2.0
// Everything that Swift stops a program for, each in a function of its own; the argument says which.

final class Owner {
    var name: String
    init(_ name: String) { self.name = name }
}

struct Borrower {
    unowned let owner: Owner
}

struct Failure: Error {}

struct Counter {
    var count = 0

    mutating func change(_ body: () -> Void) {
        count += 1
        body()
    }
}

@inline(never) func opaque<Value>(_ value: Value) -> Value { value }

nonisolated(unsafe) var counter = Counter()

@inline(never)
func fail(_ value: Int) -> Int {
    fatalError("the shelf \(value) is not there")
}

@inline(never)
func require(_ value: Int) -> Int {
    precondition(value > 9, "too few")
    return value
}

@inline(never)
func giveUp(_ value: Int) -> Int {
    if value < 9 { preconditionFailure("given up") }
    return value
}

@inline(never)
func unwrap(_ value: Int?) -> Int {
    value! + 1
}

@inline(never)
func unwrapImplicitly(_ value: Int!) -> Int {
    let sure: Int = value
    return sure * 3
}

@inline(never)
func element(_ values: [Int], _ index: Int) -> Int {
    values[index] + 1
}

@inline(never)
func sum(_ left: Int, _ right: Int) -> Int {
    left + right
}

@inline(never)
func quotient(_ dividend: Int, _ divisor: Int) -> Int {
    dividend / divisor
}

@inline(never)
func narrowed(_ value: Int) -> Int {
    Int(Int8(value))
}

@inline(never)
func casted(_ value: Any) -> Int {
    let number = value as! Int
    return number + 1
}

@inline(never)
func mayThrow(_ value: Int) throws -> Int {
    if value < 9 { throw Failure() }
    return value
}

@inline(never)
func triedAnyway(_ value: Int) -> Int {
    // swift-format-ignore: NeverUseForceTry
    let result = try! mayThrow(value)
    return result + 1
}

@inline(never)
func makeBorrower() -> Borrower {
    let owner = opaque(Owner("Ada"))
    return Borrower(owner: owner)
}

@inline(never)
func ownerName(_ borrower: Borrower) -> Int {
    let name = borrower.owner.name
    return name.count
}

@inline(never)
func readWhileChanged() -> Int {
    counter.change(opaque({ print(counter.count) }))
    return counter.count
}

@inline(never)
func indexed(_ keys: [String]) -> Int {
    let index = Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) })
    return index.count
}

@inline(never)
func between(_ first: Int, _ last: Int) -> Int {
    let range = first...last
    return range.count
}

@inline(never)
func asserted(_ value: Int) -> Int {
    assert(value > 9, "too few")
    return value
}

@inline(never)
func longReason(_ value: Int) -> Int {
    let text = String(repeating: "long ", count: 210_000)
    fatalError("shelf \(value) \u{1F4DA} \(text)\0 and more")
}

@inline(never)
func run(_ way: String) -> Int {
    switch way {
    case "fatal-error": return fail(7) + 1
    case "precondition": return require(7) + 1
    case "precondition-failure": return giveUp(7) + 1
    case "force-unwrap": return unwrap(opaque(nil)) + 1
    case "implicit-unwrap": return unwrapImplicitly(opaque(nil)) + 1
    case "index": return element([1, 2, 3], opaque(3)) + 1
    case "overflow": return sum(opaque(Int.max), opaque(1)) / 2
    case "division": return quotient(opaque(7), opaque(0)) + 1
    case "narrowing": return narrowed(opaque(1000)) + 1
    case "forced-cast": return casted(opaque("seven")) + 1
    case "forced-try": return triedAnyway(7) + 1
    case "unowned": return ownerName(makeBorrower()) + 1
    case "exclusivity": return readWhileChanged() + 1
    case "duplicate-keys": return indexed(["Ada", "Grace", "Ada"]) + 1
    case "bad-range": return between(opaque(9), opaque(3)) + 1
    case "long-reason": return longReason(7) + 1
    default: return asserted(7) + 1
    }
}

print(run(CommandLine.arguments.dropFirst().first ?? ""))
