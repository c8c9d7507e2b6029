// SPDX-License-Identifier: Apache-2.0
// Adds up invoices in a type that is too small for them.

@inline(never)
func add(_ amount: Int32, to balance: Int32) -> Int32 {
    balance + amount
}

@inline(never)
func settle(_ amounts: [Int32]) -> Int32 {
    var balance: Int32 = 0
    for amount in amounts {
        balance = add(amount, to: balance)
    }
    return balance
}

let amounts: [Int32] = [2_000_000_000, 100_000_000, 300_000_000]
print("balance: \(settle(amounts))")
