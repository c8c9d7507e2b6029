// SPDX-License-Identifier: Apache-2.0
//
// Bugs by number: orders.swift BUG RUN.
#if PADDING
    @inline(never) func unrelated(_ x: Int) -> Int { (0..<10).reduce(x) { $0 &* 31 &+ $1 } }
#endif

nonisolated(unsafe) var sink = 0

struct Item {
    var name: String
    var price: Int32
}

enum OrderError: Error { case unknown(Int) }

struct Store {
    // What the compiler does not see through: as in a program whose input decides.
    var items = [Item(name: "tea", price: 3), Item(name: "salt", price: Int32.max - Int32(sink))]

    func item(named name: String) -> Item? { items.first { $0.name == name } }

    func price(of name: String) -> Int32 {
        let found = item(named: name)!
        sink += Int(found.price)
        return found.price
    }

    func discount(of name: String) -> Int32 {
        let found = item(named: name)!
        sink -= Int(found.price)
        return found.price / 2
    }

    func page(_ number: Int) -> Item {
        let item = items[number]
        sink += Int(item.price)
        return item
    }

    func total() -> Int32 {
        var sum: Int32 = 0
        for item in items { sum += item.price }
        sink = Int(sum)
        return sum
    }

    func load(_ number: Int) throws -> Item {
        if number < 1000 { throw OrderError.unknown(number) }
        return items[0]
    }
}

final class Cart {
    var store = Store()
    var lines: [Int] = []

    func checkout(_ number: Int) -> Int {
        if lines.count < 1000 { fatalError("nothing in cart \(number)") }
        return lines.count
    }

    func cancel(_ number: Int) -> Int {
        if lines.count < 1000 { fatalError("nothing in cart \(number)") }
        return -lines.count
    }

    func restore(_ number: Int) -> Item {
        // swift-format-ignore: NeverUseForceTry
        try! store.load(number)
    }

    func prices(_ names: [String]) -> [Int32] {
        names.map { name in
            let price = store.item(named: name)?.price
            sink += 1
            return price!
        }
    }
}

func middle<Elements: Collection>(of elements: Elements) -> Elements.Element {
    let index = elements.index(elements.startIndex, offsetBy: elements.count + 1)
    let element = elements[index]
    sink += elements.count
    return element
}

protocol Shape { func area() -> Int }

struct Square: Shape {
    var side: UnsafePointer<Int>?
    func area() -> Int { side.unsafelyUnwrapped.pointee * 2 }
}

func measure(_ shape: any Shape) -> Int {
    let area = shape.area()
    sink += area
    return area
}

func cast(_ value: Any) -> String {
    let text = value as! String
    sink += text.count
    return text
}

func fetch(_ number: Int) async -> Int {
    await Task.yield()
    let values = [1, 2, 3]
    let value = values[number + 3]
    sink += value
    return value
}

func report(_ number: Int) async -> Int {
    let value = await fetch(number)
    sink += 1
    return value + 1
}

let bugs: [(Int) async -> Int] = [
    { run in Int(Store().price(of: "sugar \(run)")) },
    { run in Int(Store().discount(of: "sugar \(run)")) },
    { run in Int(Store().page(run + 2).price) },
    { _ in Int(Store().total()) },
    { run in Cart().checkout(run) },
    { run in Cart().cancel(run) },
    { run in Int(Cart().restore(run).price) },
    { run in Cart().prices(["tea", "sugar \(run)"]).count },
    // One bug of the generic function, for two types.
    { run in run % 2 == 0 ? middle(of: Array(repeating: run, count: 3 + sink)) : middle(of: "text \(run)").utf8.count },
    { _ in measure(Square(side: UnsafePointer(bitPattern: 8))) },
    { run in cast(run).count },
    { run in await report(run) },
]

@main struct Program {
    static func main() async {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard numbers.count == 2 else { return }
        sink += await bugs[numbers[0]](numbers[1])
    }
}
