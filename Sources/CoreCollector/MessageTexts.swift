// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CVakaRecord
import CoreFile

/// What libc and the Swift runtime wrote down of the error that ended the process, where it lies in memory.
struct MessageTexts {
    struct Text {
        var source: vaka_text_source
        var bytes: [UInt8]
        var isCut: Bool
    }

    private static let longest = 32 << 10
    /// A getter is a few instructions.
    private static let getterBytes = 32

    let images: [CoreImage]
    let memory: any ProcessMemory
    let files: AnalysedFiles

    /// Where the Swift runtime keeps the address of its text; nil in a program without that runtime.
    func swiftBuffer() -> UInt64? {
        for image in candidates(named: "libswiftCore.so") {
            let getter = address(of: "swift_getFatalErrorMessageBuffer", in: image) { symbol in
                symbol.st_info & 15 == UInt8(STT_FUNC)
            }
            guard let getter else { continue }
            let code = memory.bytes(getter, Self.getterBytes)
            return AddressGetter.address(code, at: getter, machine: files.machine)
        }
        return nil
    }

    func swift(buffer: UInt64?) -> Text? {
        guard let buffer, let start = memory.value(UInt64.self, at: buffer), start != 0 else { return nil }
        return text(VAKA_TEXT_SWIFT, at: start)
    }

    /// glibc keeps `struct { unsigned size; char text[]; }`, and its address in a variable of its own.
    func glibc() -> Text? {
        for image in candidates(named: "libc.so", "libc-2") {
            let variable = address(of: "__abort_msg", in: image) { symbol in
                symbol.st_info & 15 == UInt8(STT_OBJECT) && symbol.st_size == 8
            }
            guard let variable else { continue }
            guard let start = memory.value(UInt64.self, at: variable), start != 0 else { return nil }
            return text(VAKA_TEXT_GLIBC, at: start &+ 4)
        }
        return nil
    }

    /// The type of the C++ exception that ended the thread, and its text where its class is a known one.
    func cxx(stackPointer: UInt64, frames: [UInt64]) -> Text? {
        guard isTerminating(frames),
            let exception = CxxException(stackPointer: stackPointer, memory: memory)
        else { return nil }
        let bytes = Array(exception.text.utf8)
        return Text(source: VAKA_TEXT_CXX, bytes: Array(bytes.prefix(Self.longest)), isCut: bytes.count > Self.longest)
    }

    /// What is left of exceptions lies on many stacks: one counts only where the runtime ends the program over it. Then
    /// abort was called by the C++ library, or by std::terminate where that is part of the program.
    private func isTerminating(_ frames: [UInt64]) -> Bool {
        let libraries = candidates(named: "libstdc++.so", "libc++abi.so").filter { !$0.isExecutable }
        let libc = candidates(named: "libc.so", "libc-2")
        if let caller = frames.first(where: { frame in !libc.contains { $0.image.contains(frame) } }),
            libraries.contains(where: { $0.image.contains(caller) })
        {
            return true
        }
        guard libraries.isEmpty, let program = images.first(where: \.isExecutable),
            let terminate = symbol("_ZSt9terminatev", in: program, where: { $0.st_info & 15 == UInt8(STT_FUNC) })
        else { return false }
        let start = terminate.st_value &+ program.loadBias
        return frames.contains { $0 > start && $0 - start <= terminate.st_size }
    }

    /// The library of that name, else the program, which may have it linked in.
    private func candidates(named prefixes: String...) -> [CoreImage] {
        let named = images.filter { image in prefixes.contains { image.image.name?.hasPrefix($0) == true } }
        return named.isEmpty ? images.filter(\.isExecutable) : named
    }

    private func address(of name: String, in image: CoreImage, where isRight: (Elf64_Sym) -> Bool) -> UInt64? {
        symbol(name, in: image, where: isRight).map { $0.st_value &+ image.loadBias }
    }

    private func symbol(_ name: String, in image: CoreImage, where isRight: (Elf64_Sym) -> Bool) -> Elf64_Sym? {
        guard let file = files.file(of: image) else { return nil }
        return SymbolScan.symbol(name, descriptor: file.descriptor, headers: file.headers, where: isRight)
    }

    private func text(_ source: vaka_text_source, at start: UInt64) -> Text? {
        let (bytes, isCut) = memory.string(at: start, longest: Self.longest)
        return bytes.isEmpty ? nil : Text(source: source, bytes: bytes, isCut: isCut)
    }
}

extension ProcessMemory {
    /// The bytes up to the NUL, as far as they are known; `isCut` where that did not come within `longest`.
    func string(at start: UInt64, longest: Int) -> (bytes: [UInt8], isCut: Bool) {
        let step = 256
        var bytes: [UInt8] = []
        while bytes.count < longest {
            let part = self.bytes(start &+ UInt64(bytes.count), min(step, longest - bytes.count))
            if let end = part.firstIndex(of: 0) { return (bytes + part[..<end], false) }
            bytes += part
            guard !part.isEmpty else { break }
        }
        return (bytes, true)
    }
}
