// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

struct ConcurrencyTests {
    /// Senders repeat each other's items at the same moment, while others upload and read.
    @Test func `senders, uploads and readers at once lose and double nothing`() throws {
        let server = try ServerProcess(["--workers", "2"])
        let folder = try TemporaryFolder()
        let path = try CompiledProgram.build(
            "program", source: "int main(void) { return 0; }", extension: "c", compiler: "gcc", flags: ["-g"],
            in: folder)
        let image = try Data(contentsOf: URL(filePath: path))
        let running = Monitor((left: 8, failures: [String]()))
        for worker in 0..<8 {
            startThread {
                var failures: [String] = []
                for index in 0..<20 {
                    do {
                        if worker == 6 {
                            let status = try server.upload(image).status
                            if status != 200 && status != 201 { failures.append("upload: \(status)") }
                        } else if worker == 7 {
                            let status = try server.get("issues").status
                            if status != 200 { failures.append("issues: \(status)") }
                        } else {
                            // Three pairs of workers send the same numbers.
                            let event = Samples.crash(1 + worker / 2 * 20 + index)
                            if try server.accepted(try Samples.batch(event)).accepted != 1 {
                                failures.append("not accepted")
                            }
                        }
                    } catch {
                        failures.append("\(error)")
                    }
                }
                running.update { state in
                    state.left -= 1
                    state.failures += failures
                }
            }
        }
        let failures = try #require(running.wait(seconds: 60) { $0.left == 0 ? $0.failures : nil })
        #expect(failures.isEmpty, "\(failures)")
        for number in 1...60 { _ = try server.event(number) }
        #expect(try server.json("issues/1")["events"] == 60)
        #expect(try server.json("artifacts")["artifacts"]?.array.count == 1)
    }
}
