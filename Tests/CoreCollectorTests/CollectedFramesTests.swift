// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing
import VakaModel

/// Real cores of real crashes, against gdb's frames and against what is declared of each.
@Suite struct CollectedFramesTests {
    /// Programs as they are, without limits that keep the kernel from writing a core. One that installs handlers by itself
    /// is none that the kernel collects.
    private static let crashers = Crasher.reported.filter {
        $0.isDefaultConfiguration && !$0.linked && $0.wrapper.isEmpty && $0.signal != nil && $0.exitStatus == nil
            && $0.program != "limited"
    }

    @Test func thereAreCrashers() { #expect(Self.crashers.count > 30) }

    @Test(arguments: crashers) func framesEqualThoseOfGdbAndTheReasonIsTheDeclared(crasher: Crasher) throws {
        let folder = try TemporaryFolder()
        let core = try CoreOfCrash.make(
            crasher.executable, crasher.arguments, environment: crasher.environment, in: folder)
        let collected = try Collected(folder.path + "/storage", core: core)
        let event = try collected.event()
        // What a trap's reason is, debug information tells.
        let explained = crasher.messageSource == "dwarf" ? try collected.symbolicated() : event
        Self.check(try #require(explained.reason), crasher)
        #expect(event.contexts["process"]?["name"]?.string == String(crasher.program.prefix(15)))
        let thread = try #require(event.crashedThread)
        #expect((thread.stack != nil || !crasher.loss.isEmpty) && !event.debugImages.isEmpty)
        guard crasher.physical == nil else { return }
        let comparison = FrameComparison(
            name: crasher.name, expected: try GdbTruth.of(crasher).frames.map(\.text),
            found: thread.frames.map { Self.text($0, event.debugImages) }, depth: crasher.depth)
        #expect(comparison.total > 0)
        #expect(comparison.differences.isEmpty)
    }

    /// That there is no exception is nothing that memory shows.
    private static let withoutException = "without an active exception"

    private static func check(_ reason: Reason, _ crasher: Crasher) {
        #expect(reason.signal == crasher.signal, "\(crasher)")
        if let code = crasher.code { #expect(reason.code == code, "\(crasher)") }
        if let fault = crasher.fault { #expect(reason.faultAddress?.description == fault, "\(crasher)") }
        if let access = crasher.access { #expect(reason.access?.rawValue == access, "\(crasher)") }
        #expect(reason.kind?.rawValue == crasher.recognised, "\(crasher)")
        if crasher.message?.contains(withoutException) == true {
            #expect(reason.message == nil)
            return
        }
        if let message = crasher.message { #expect(reason.message?.contains(message) == true, "\(crasher)") }
        if let source = crasher.messageSource { #expect(reason.messageSource?.rawValue == source, "\(crasher)") }
    }

    /// Module and module-relative address, the module by its file; the kernel's has a name of its own in each.
    private static func text(_ frame: Frame, _ images: [DebugImage]) -> String {
        let address = frame.instructionAddress
        guard let image = images.first(where: { $0.contains(address.rawValue) }), let path = image.codeFile else {
            return "- \(address)"
        }
        let file = realpath(path, nil)
        defer { free(file) }
        let name = path == "linux-vdso.so.1" ? "[vdso]" : file.map { String(cString: $0) } ?? path
        let relative = HexAddress(address.rawValue &- image.imageAddress.rawValue)
        return "\(name.split(separator: "/").last ?? "-") \(relative)"
    }
}

extension GdbTruth.Frame {
    fileprivate var text: String { "\(module ?? "-") 0x\(String(relative, radix: 16))" }
}
