// SPDX-License-Identifier: Apache-2.0
// Reads one column more than the row has.

struct Table {
    var rows: [[Int]]

    @inline(never)
    func cell(_ row: Int, _ column: Int) -> Int {
        rows[row][column] + 1
    }

    @inline(never)
    func sum(ofRow row: Int, columns: Int) -> Int {
        var sum = 0
        for column in 0..<columns {
            sum += cell(row, column)
        }
        return sum
    }
}

let table = Table(rows: [[1, 2, 3], [4, 5, 6]])
let columns = CommandLine.arguments.count + 3
print("sum: \(table.sum(ofRow: 1, columns: columns))")
