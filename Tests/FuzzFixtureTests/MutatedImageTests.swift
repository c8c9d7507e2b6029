// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing

/// Mutated images of every kind are answered: no crash, no hang, no memory beyond the bound.
@Suite struct MutatedImageTests {
    /// What a probe said of its turns.
    private struct Report {
        var findings: [String] = []
        var slowest = 0.0
        var mebibytes = 0
        /// Copies that could be opened for lookups.
        var opened = 0
    }

    private static let isSoak = ProcessInfo.processInfo.environment["VAKA_SOAK"] != nil
    /// With the 17 kinds, some 20,000 in the soak and some 300 else.
    private static let rounds = isSoak ? 1200 : 18
    private static let seed: UInt64 = 20_261_130

    @Test(arguments: ImageKind.all)
    func areAnswered(kind: ImageKind) throws {
        let folder = try TemporaryFolder()
        let image: ImageKind.Image
        do {
            image = try kind.build(in: folder)
        } catch let failure as ChildProcess.Failure where kind.isOptional {
            print("\(kind.name): left out, \(failure.description.prefix(200))")
            return
        }
        let report = try probe(image)
        #expect(report.findings.isEmpty, "\(kind.name): \(report.findings.joined(separator: "; "))")
        print(
            "\(kind.name): \(Self.rounds) mutated files, \(report.opened) opened, at most "
                + "\(Int(report.slowest * 1000)) ms of processor time and \(report.mebibytes) MiB of memory")
        // Most damage leaves a file readable, else this tests little.
        #expect(report.opened > Self.rounds / 3 || !report.findings.isEmpty)
    }

    /// Goes on behind each number that ended the probe.
    private func probe(_ image: ImageKind.Image) throws -> Report {
        try FileManager.default.copyItem(atPath: image.mutated, toPath: image.mutated + ".original")
        var report = Report()
        var first = 0
        while first < Self.rounds, report.findings.count < 5 {
            let result = try ChildProcess.run(
                BuildProducts.executable("image-probe"),
                [image.file, image.mutated, "\(Self.seed)", "\(first)", "\(Self.rounds - first)"],
                environment: ["SWIFT_BACKTRACE": "enable=no"], seconds: 6 * 3600)
            let lines = result.output.split(separator: "\n")
            let words = lines.last?.split(separator: " ") ?? []
            if words.first == "done", words.count == 4 {
                report.slowest = max(report.slowest, Double(words[1]) ?? 0)
                report.mebibytes = max(report.mebibytes, Int(words[2]) ?? 0)
                report.opened += Int(words[3]) ?? 0
                return report
            }
            let number = lines.last.flatMap { Int($0) } ?? first
            report.findings.append(
                "number \(number) of seed \(Self.seed): \(result.status), \(result.errors.suffix(300))")
            first = number + 1
        }
        return report
    }
}
