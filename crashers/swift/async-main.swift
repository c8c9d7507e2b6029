// SPDX-License-Identifier: Apache-2.0
// A program whose top level awaits, and crashes in plain functions under the compiler's own entry.

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

await Task.yield()
let sum = seatGuests(["Ada", "Grace"], ["Ada": 3])
print("seats: \(sum)")
