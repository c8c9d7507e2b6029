// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Programs/pointers.c has texts in registers and on stacks: a record that keeps pointers only has none of them, and all frames.
@Suite struct PointersOnlyTests {
    /// Each text holds it, and nothing else of the program does.
    private static let planted = Data("plant".utf8)
    private static let crashes = [
        "crash", "handler", "other-stack", "threads", "overflow", "broken-stack", "short-fault", "long-fault", "call",
    ]

    private func captured(_ way: String, _ mode: String, program: String? = nil) throws -> Captured {
        let storage = try TemporaryFolder()
        let result = try ChildProcess.run(try program ?? TestPrograms.pointers(), [storage.path, way, mode])
        return Captured(result: result, storage: storage)
    }

    private func bytes(_ captured: Captured) throws -> Data {
        let path = try captured.storage.path + "/crashes/" + #require(captured.crashes.first)
        return try #require(FileManager.default.contents(atPath: path))
    }

    /// Where each thread is, by image, but for the place in its innermost function of one that runs on.
    private func frames(_ event: Event) -> [String: [String]] {
        Dictionary(
            event.threads.map { thread in
                let places = thread.frames.dropFirst(thread.crashed ? 0 : 1).filter { $0.module != nil }
                return (
                    thread.name ?? "",
                    places.map { "\($0.module ?? "") \($0.relativeAddress?.description ?? "") \($0.trust)" }
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test(arguments: crashes + ["snapshot", "hang"], ["only", "later"])
    func noTextIsInTheRecordAndEveryFrameIs(_ way: String, _ mode: String) throws {
        let (with, without) = (try captured(way, mode), try captured(way, "all"))
        #expect(with.result.status == without.result.status)
        // That the texts are there to be found.
        #expect(try bytes(without).firstRange(of: Self.planted) != nil)
        #expect(try bytes(with).firstRange(of: Self.planted) == nil)
        let record = try with.record()
        #expect(record.isWhole)
        let event = record.event()
        // As the document tells numbers.
        let text = String(decoding: try ModelCoding.encode(event), as: UTF8.self)
        #expect(!text.contains("746e616c70"))
        let (left, right) = (frames(event), frames(try without.record().event()))
        #expect(left == right)
        #expect(way == "broken-stack" || (left.values.map(\.count).max() ?? 0) >= 3)
    }

    @Test func theRecordSaysSo() throws {
        let event = try captured("threads", "only").record().event()
        #expect(event.threads.count == 3 && event.threads.allSatisfy { $0.pointersOnly == true })
        #expect(event.loss.map(\.what) == ["registers and words of stacks that are no pointers"])
        for thread in event.threads {
            let names = Set(thread.registers.keys)
            #expect(names.isSuperset(of: ["rip", "rsp", "rbp"]) || names.isSuperset(of: ["pc", "sp", "x29"]))
            #expect(thread.registers.values.allSatisfy { $0.rawValue != MemoryRegion.leftOut })
        }
        // A text was in it, and 0 would be a lie.
        #expect(event.crashedThread?.registers["rbx"] == nil && event.crashedThread?.registers["x19"] == nil)
        let all = try captured("threads", "all").record().event()
        #expect(all.threads.allSatisfy { $0.pointersOnly == nil } && all.loss.isEmpty)
        #expect(all.crashedThread?.registers["rbx"] != nil || all.crashedThread?.registers["x19"] != nil)
    }

    /// What is kept of a stack: 0, what points into an image, the stack, or an async context that is there.
    @Test(arguments: ["crash", "handler"]) func aStackHoldsPointersOnly(_ way: String) throws {
        let event = try captured(way, "only").record().event()
        let stack = try #require(event.crashedThread?.stack)
        #expect(stack.data.count > 1024)
        var counts = (images: 0, stack: 0, leftOut: 0)
        for offset in stride(from: 0, to: stack.data.count & ~7, by: 8) {
            let word = stack.data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
            if word == MemoryRegion.leftOut {
                counts.leftOut += 1
            } else if event.debugImages.contains(where: { $0.contains(word) }) {
                counts.images += 1
            } else if word != 0, event.memory?.contains(where: { $0.address.rawValue == word }) != true {
                #expect(word &- stack.address.rawValue < 16 << 20, "\(HexAddress(word))")
                counts.stack += 1
            }
        }
        #expect(counts.images > 5 && counts.stack > 5 && counts.leftOut > 20, "\(counts)")
    }

    /// Beside the code around the instruction pointer and the vDSO, both of images, there are async contexts only.
    @Test func nothingAroundRegistersIsKept() throws {
        let event = try captured("crash", "only").record().event()
        let memory = try #require(event.memory)
        var others = 0
        for region in memory {
            guard let image = event.debugImages.first(where: { $0.contains(region.address.rawValue) }) else {
                // What looks like an async context, its caller's being a text.
                let words = region.data.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
                #expect(words.count == 2 && words.first == MemoryRegion.leftOut)
                #expect(event.debugImages.contains { $0.contains(words[1]) })
                others += 1
                continue
            }
            #expect(image.contains(region.address.rawValue + UInt64(region.data.count) - 1))
        }
        #expect(memory.count == 3 && others == 1)
    }

    /// An address that is a text's is not told either, and the document says that there was one.
    @Test(arguments: ["short-fault", "long-fault", "call", "broken-stack"])
    func addressesThatLeadNowhereAreLeftOut(_ way: String) throws {
        let event = try captured(way, "only").record().event()
        #expect(event.reason?.faultAddress == nil)
        #expect(event.reason?.access != nil || way == "broken-stack")
        if way != "broken-stack" { #expect(event.loss.contains { $0.what == "the fault address" }) }
        let thread = try #require(event.crashedThread)
        let place = thread.registers["rip"] ?? thread.registers["pc"]
        #expect((place == nil) == (way == "call"))
        #expect(thread.frames.first?.notes.contains(Frame.leftOut) == (way == "call"))
        let stack = thread.registers["rsp"] ?? thread.registers["sp"]
        #expect((stack == nil) == (way == "broken-stack"))
    }

    /// Near null, on the stack's guard page, in memory that is there: such addresses are told.
    @Test func addressesThatCanBeNoTextAreTold() throws {
        #expect(try captured("crash", "only").record().event().reason?.faultAddress == HexAddress(8))
        let overflow = try captured("overflow", "only").record().event()
        #expect(overflow.reason?.kind == .stackOverflow && overflow.reason?.faultAddress != nil)
        #expect((overflow.crashedThread?.stack?.data.count ?? 0) > 1024)
    }

    /// In an image below 4 GiB a word must be a return address: three letters may lie there, too.
    /// The other stack lies where four characters reach.
    @Test(arguments: ["handler", "other-stack"]) func aProgramThatIsNotPositionIndependent(_ way: String) throws {
        let program = try TestPrograms.staticPointers()
        let with = try captured(way, "only", program: program)
        let without = try captured(way, "all", program: program)
        #expect(try bytes(without).firstRange(of: Self.planted) != nil)
        #expect(try bytes(with).firstRange(of: Self.planted) == nil)
        #expect(frames(try with.record().event()) == frames(try without.record().event()))
    }

    @Test func thePreloadedLibraryIsToldByAVariable() throws {
        let plain = try Captured.preloaded(try TestPrograms.plain(), ["null-write"]).record().event()
        #expect(plain.crashedThread?.pointersOnly == nil)
        let event = try Captured.preloaded(
            try TestPrograms.plain(), ["null-write"], environment: ["VAKA_MEMORY_POINTERS_ONLY": "1"]
        ).record().event()
        #expect(event.crashedThread?.pointersOnly == true)
        #expect(frames(event) == frames(plain))
    }
}
