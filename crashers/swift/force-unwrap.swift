// SPDX-License-Identifier: Apache-2.0
// Looks up the settings of a tenant that has none.

struct Settings {
    var limits: [String: Int]
}

@inline(never)
func limit(of tenant: String, in settings: Settings) -> Int {
    let value = settings.limits[tenant]!
    return value * 2
}

@inline(never)
func totalLimit(_ tenants: [String], _ settings: Settings) -> Int {
    var total = 0
    for tenant in tenants {
        total += limit(of: tenant, in: settings)
    }
    return total
}

let settings = Settings(limits: ["north": 10, "south": 20])
let total = totalLimit(["north", "east"], settings)
print("total limit: \(total)")
