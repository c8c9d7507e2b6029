// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CoreFile

/// Swift's async contexts that the threads' context registers and stacks lead to: each begins with the caller's context
/// and the function that resumes the caller, which is all that an unwinder needs of it.
struct AsyncContexts {
    private static let mostContexts = 512
    private static let mostOfThread = 64
    private static let stackWords: UInt64 = 256
    private static let contextBytes = 16

    private let memory: any ProcessMemory
    private let images: [CoreImage]
    private(set) var found: [(address: UInt64, bytes: [UInt8])] = []
    private var seen: Set<UInt64> = []

    init(images: [CoreImage], memory: any ProcessMemory) {
        self.memory = memory
        self.images = images
    }

    /// - Parameters:
    ///   - contextRegister: the value of a thread's r14 or x22.
    mutating func add(contextRegister: UInt64?, stackPointer: UInt64) {
        let most = min(Self.mostContexts, found.count + Self.mostOfThread)
        if let contextRegister { follow(contextRegister, most) }
        for word in 0..<Self.stackWords {
            guard let value = memory.value(UInt64.self, at: stackPointer &+ word &* 8) else { return }
            follow(value, most)
        }
    }

    private mutating func follow(_ start: UInt64, _ most: Int) {
        var address = start
        while found.count < most, !seen.contains(address), let context = context(at: address) {
            seen.insert(address)
            found.append((address, context.bytes))
            address = context.parent
        }
    }

    private func context(at address: UInt64) -> (bytes: [UInt8], parent: UInt64)? {
        guard address != 0, address.isMultiple(of: 8), !images.contains(where: { $0.image.contains(address) }) else {
            return nil
        }
        let bytes = memory.bytes(address, Self.contextBytes)
        guard let parent = bytes.value(UInt64.self, at: 0), let resume = bytes.value(UInt64.self, at: 8),
            parent.isMultiple(of: 8), isCode(resume)
        else { return nil }
        return (bytes, parent)
    }

    private func isCode(_ address: UInt64) -> Bool {
        guard let image = images.first(where: { $0.image.contains(address) }) else { return false }
        let linked = address &- image.loadBias
        return image.programHeaders.contains { header in
            header.p_type == UInt32(PT_LOAD) && header.p_flags & UInt32(PF_X) != 0 && linked >= header.p_vaddr
                && linked - header.p_vaddr < header.p_memsz
        }
    }
}
