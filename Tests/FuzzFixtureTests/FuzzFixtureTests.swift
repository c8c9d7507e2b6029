// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import FuzzTargets
import TestSupport
import Testing

/// What a fuzz target once found stays mended.
@Suite struct FuzzFixtureTests {
    @Test(arguments: FuzzTarget.allCases)
    func pastFindings(target: FuzzTarget) throws {
        let folder = BuildProducts.root + "/Fuzz/fixtures/" + target.rawValue
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // An input of no bytes is one, too.
        let inputs = try [[]] + names.sorted().map { [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + $0))) }
        for (index, input) in inputs.enumerated() {
            let start = ContinuousClock.now
            target.run(input)
            #expect(ContinuousClock.now - start < .seconds(10), "\(index == 0 ? "nothing" : names.sorted()[index - 1])")
        }
    }
}
