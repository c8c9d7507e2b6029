// SPDX-License-Identifier: Apache-2.0
// A program whose top level awaits; before that it crashes in plain functions, under the entry that the compiler made.

@inline(never)
func seat(of guest: String, in plan: [String: Int]) -> Int {
    let seat = plan[guest]!
    return seat + 1
}

@inline(never)
func seatGuests(_ guests: [String], _ plan: [String: Int]) -> Int {
    var sum = 0
    for guest in guests {
        sum += seat(of: guest, in: plan)
    }
    return sum
}

let sum = seatGuests(["Ada", "Grace"], ["Ada": 3])
await Task.yield()
print("seats: \(sum)")
