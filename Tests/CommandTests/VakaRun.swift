// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport

/// Runs the command as a user does.
func vaka(
    _ arguments: String..., input: String? = nil, environment: [String: String?] = [:]
) throws -> ChildProcess.Result {
    try ChildProcess.run(
        BuildProducts.executable("vaka"), arguments, environment: environment, input: input.map { Data($0.utf8) })
}

extension TemporaryFolder {
    /// Writes a file into the folder; returns its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }
}
