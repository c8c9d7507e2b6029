// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Java's and Go's runtimes in the process, before our handlers and after them: their own faults stay their own, and they
/// end the process as they would without us.
@Suite struct VirtualMachineTests {
    /// The machines that are installed, by the paths of their libraries.
    private static let machines: [String] = {
        let folder = "/usr/lib/jvm"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let paths = names.map { "\(folder)/\($0)/lib/server/libjvm.so" }
        return Array(Set(paths.compactMap { realpath($0, nil).map { String(cString: $0) } })).sorted()
    }()

    @Test(arguments: ["fault", "sent"]) func machineAfterUsReportsAsWithoutUs(_ way: String) throws {
        let program = try TestPrograms.machine()
        let without = try ChildProcess.run(program, [way])
        let captured = try Captured.preloaded(program, [way])
        #expect(without.status == .signalled(SIGABRT))
        #expect(captured.result.status == without.status)
        #expect(without.output == "the machine's own report\n")
        #expect(captured.result.output == without.output)
        let event = try captured.record().event()
        #expect(event.reason?.signal == "SIGSEGV")
        #expect(event.reason?.code == (way == "fault" ? "SEGV_MAPERR" : "SI_USER"))
    }

    @Test func goAfterUsReportsAsWithoutUs() throws {
        let program = try TestPrograms.goMachine()
        let without = try ChildProcess.run(program, ["fault"])
        let captured = try Captured.preloaded(program, ["fault"])
        #expect(without.status == .exited(2))
        #expect(captured.result.status == without.status)
        #expect(captured.result.output == without.output)
        #expect(try captured.record().event().reason?.code == "SEGV_MAPERR")
    }

    @Test(.enabled(if: !machines.isEmpty), arguments: machines, ["fault", "fault-exit", "sent", "abort"])
    func javaAfterUs(_ machine: String, _ way: String) throws {
        let (status, report, event) = try crash(
            [machine, way], try TestPrograms.java(), preload: try CaptureLibrary.shared())
        let without = try crash([machine, way], try TestPrograms.java(), preload: nil)
        #expect(status == without.status)
        #expect(report == without.report)
        #expect(report == (way != "abort"))
        #expect(event?.reason?.signal == (way == "abort" ? "SIGABRT" : "SIGSEGV"))
        #expect((event?.threads.count ?? 0) > 5)
    }

    @Test(.enabled(if: !machines.isEmpty), arguments: machines, ["fault", "fault-exit", "live"])
    func javaBeforeUs(_ machine: String, _ way: String) throws {
        let (status, report, event) = try crash([machine, way], try TestPrograms.javaFirst(), preload: nil)
        let without = try crash([machine, way], try TestPrograms.java(), preload: nil)
        #expect(status == without.status)
        #expect(report == without.report)
        #expect((event != nil) == (way != "live"))
        if way == "fault-exit" { #expect(event?.reason?.faultAddress == HexAddress(8)) }
    }

    /// The status, whether the machine left its own report, and the record, if there is one.
    private func crash(
        _ arguments: [String], _ program: String, preload: String?
    ) throws -> (status: ChildProcess.Status, report: Bool, event: Event?) {
        let folder = try TemporaryFolder()
        let result = try ChildProcess.run(
            program, arguments, environment: ["LD_PRELOAD": preload, "VAKA_STORAGE": folder.path + "/vaka"],
            directory: folder.path)
        let records = folder.entries("vaka/crashes")
        #expect(records.count <= 1)
        let event = try records.first.map {
            try CrashRecordFile(contentsOf: folder.path + "/vaka/crashes/" + $0).event()
        }
        return (result.status, folder.entries().contains { $0.hasPrefix("hs_err") }, event)
    }
}
