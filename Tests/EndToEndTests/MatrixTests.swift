// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The declared crashes against the crash matrix and the documentation.
@Suite struct MatrixTests {
    /// A program or a test for every row, each named test in Tests/, and the table in the documentation as it would be
    /// made now.
    @Test func everyRowIsCovered() throws {
        let result = try ChildProcess.run("python3", [BuildProducts.root + "/crashers/generate.py", "check"])
        #expect(result.status == .exited(0), "\(result.errors)")
    }
}
