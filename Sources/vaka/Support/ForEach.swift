// SPDX-License-Identifier: Apache-2.0

/// Does `body` for each argument; one that fails does not keep the others from being done. Nil when none failed.
func attempt(_ arguments: [String], _ body: (String) throws -> Void) throws -> PartialFailure? {
    var failures: [String] = []
    for argument in arguments {
        do {
            try body(argument)
        } catch let usage as UsageError {
            throw usage
        } catch {
            failures.append("\(error)")
        }
    }
    if failures.count < 2 { return failures.first.map { PartialFailure(message: $0) } }
    let list = failures.map { "\n  \($0)" }.joined()
    return PartialFailure(message: "\(failures.count) of \(arguments.count) failed:\(list)")
}

/// The same, and throws what failed once all were tried.
func forEach(_ arguments: [String], _ body: (String) throws -> Void) throws {
    if let failure = try attempt(arguments, body) { throw failure }
}
