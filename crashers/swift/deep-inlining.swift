// SPDX-License-Identifier: Apache-2.0
// Methods, closures and copies of generic functions, inlined into one another.

struct Grid<Cell> {
    let cells: UnsafeMutablePointer<Cell>
    let width: Int

    @inline(__always) func set(_ column: Int, _ row: Int, _ value: Cell) {
        cells[row * width + column] = value
    }
}

extension Grid where Cell: BinaryInteger {
    @inline(__always) func mark(_ column: Int, _ row: Int) {
        set(column, row, 3)
    }
    @inline(__always) func fill(_ row: Int) {
        each(row) { mark($0, row) }
    }
    @inline(__always) func each(_ count: Int, _ body: (Int) -> Void) {
        body(count)
    }
}

@inline(__always) func clear<Cell: BinaryInteger>(_ grid: Grid<Cell>) {
    grid.fill(1)
}

@inline(never) func draw(_ grid: Grid<Int>) -> Int {
    clear(grid)
    return grid.width
}

@inline(never) func start(_ address: Int) -> Int {
    let grid = Grid(cells: UnsafeMutablePointer<Int>(bitPattern: address)!, width: 2)
    return draw(grid) &+ address
}

print(start(CommandLine.arguments.count * 16))
