// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Debuginfod
import FoundationEssentials
import VakaModel

/// Does work on reports in a child with limits. A debug image that ends the child is left out, and the work done anew;
/// a report that does so fails.
struct ReportReading {
    /// What the work gave.
    struct Outcome: Codable {
        var output: String
        /// Of the reports that could not be worked on.
        var failure: String?
    }

    private var inputs: [(path: String, piped: Data?)] = []
    private let options: ParsedOptions
    private let remote: DebuginfodClient?
    private var refusedImages: [String: String] = [:]
    private var refusedReports: [String: String] = [:]

    /// So many files may end a child before the work is given up.
    private static let mostDeaths = 16

    /// `options` are those of a subcommand with `--symbols`, `--no-system` and `--debuginfod`. Reads what comes from pipes.
    init(_ paths: [String], _ options: ParsedOptions) throws {
        for path in options.all("symbols") where !FileManager.default.fileExists(atPath: path) {
            throw CommandError("--symbols \(path): there is no such file or folder")
        }
        self.options = options
        remote = try DebuginfodOption.client(options)
        for path in paths {
            // A pipe that cannot be read is told of when its turn comes.
            inputs.append((path, try? Report.piped(path)))
        }
    }

    /// In the child: makes what is needed once, and calls the result for each report.
    typealias Work = (ImageFinder) -> (_ report: Report, _ path: String) throws -> String

    mutating func run(_ work: Work) throws -> Outcome {
        while true {
            do {
                let data = try LimitedChild.run { child in try ModelCoding.encode(outcome(child, work)) }
                return try ModelCoding.decode(Outcome.self, from: data)
            } catch let death as LimitedChild.Death {
                guard let path = death.path, refusedImages.count + refusedReports.count < Self.mostDeaths else {
                    throw death
                }
                if inputs.contains(where: { $0.path == path }) {
                    refusedReports[path] = death.advice
                } else {
                    refusedImages[path] = death.reason
                    Terminal.complain("vaka: \(death)\n".printable(keepingLines: true))
                }
            }
        }
    }

    private func outcome(_ child: LimitedChild, _ work: Work) throws -> Outcome {
        let finder = ImageFinder(
            symbolPaths: options.all("symbols"), useSystem: !options.has("no-system"),
            refusals: ImageRefusals { [refusedImages] path in refusedImages[path] }, activity: child.activity,
            remote: remote)
        let one = work(finder)
        var (output, pipes) = ("", Dictionary(inputs.map { ($0.path, $0.piped) }) { first, _ in first })
        let failure = try attempt(inputs.map(\.path)) { path in
            if let reason = refusedReports[path] { throw CommandError("\(path): \(reason)") }
            child.activity?.reads(path)
            let report = try Report.read(path, piped: pipes.removeValue(forKey: path) ?? nil)
            child.activity?.rests()
            output += try one(report, path)
        }
        return Outcome(output: output, failure: failure?.message)
    }
}
