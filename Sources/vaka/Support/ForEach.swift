// SPDX-License-Identifier: Apache-2.0

/// Does `body` for each argument; one that fails is told and does not keep the others from being done.
func forEach(_ arguments: [String], _ body: (String) throws -> Void) throws {
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
    if failures.count == 1, let only = failures.first { throw PartialFailure(message: only) }
    if !failures.isEmpty {
        let list = failures.map { "\n  \($0)" }.joined()
        throw PartialFailure(message: "\(failures.count) of \(arguments.count) failed:\(list)")
    }
}
