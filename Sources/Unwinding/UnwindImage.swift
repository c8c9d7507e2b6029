// SPDX-License-Identifier: Apache-2.0
import Glibc
import VakaModel

/// One image of the process with what its files say, by the process's addresses. Not thread-safe.
final class UnwindImage {
    let image: DebugImage
    private let code: UnwindFile?
    private let debug: UnwindFile?
    private let loadBias: UInt64
    private let files: ImageFiles

    init(_ image: DebugImage, files: ImageFiles) {
        self.image = image
        self.files = files
        if let path = files.code { files.activity?.reads(path) }
        code =
            files.openCode.map { UnwindFile(descriptor: fcntl($0, F_DUPFD_CLOEXEC, 3)) }
            ?? files.code.flatMap { UnwindFile(path: $0) }
        if let path = files.debug { files.activity?.reads(path) }
        // The debug information may lie in the file that was loaded, and is not to be opened twice.
        debug = files.debug == files.code ? nil : files.debug.flatMap { UnwindFile(path: $0) }
        let first = (code ?? debug)?.segments.first.map { $0.address & ~0xfff } ?? 0
        loadBias = image.loadBias?.rawValue ?? image.imageAddress.rawValue &- first
    }

    /// Neither the file that was loaded nor its debug information is at hand.
    var isMissing: Bool { code == nil && debug == nil }

    /// Nil where no file tells.
    func isExecutable(_ address: UInt64) -> Bool? {
        guard let file = code ?? debug else { return nil }
        let linked = address &- loadBias
        return file.segments.contains { $0.isExecutable && $0.contains(linked) }
    }

    func readOnlyValue(_ address: UInt64, count: Int) -> UInt64? {
        code?.readOnlyBytes(at: address &- loadBias, count: count).map { CapturedMemory.littleEndian($0) }
    }

    /// The call frame information at an address of the process, from `.eh_frame`, then from `.debug_frame`.
    /// A file of debug information alone has an `.eh_frame` without contents, so that it is asked for the other only.
    func frameDescription(at address: UInt64) -> FrameDescription? {
        let linked = address &- loadBias
        guard
            let frame = read(
                files.code, code?.ehFrameDescription(at: linked) ?? code?.debugFrameDescription(at: linked))
                ?? read(files.debug, debug?.debugFrameDescription(at: linked))
        else { return nil }
        return FrameDescription(frame, owner: self, loadBias: loadBias)
    }

    /// Reads of one file, having said so.
    private func read<Value>(_ file: String?, _ value: @autoclosure () -> Value?) -> Value? {
        if let file { files.activity?.reads(file) }
        return value()
    }

    /// Whether its code was compiled from Swift.
    var isSwift: Bool { (code ?? debug)?.isSwift ?? false }

    /// The function that holds an address, by the process's addresses.
    func function(at address: UInt64) -> FunctionSymbols.Function? {
        let linked = address &- loadBias
        // A stripped file has no symbols of local functions; its debug information has.
        guard
            var function = read(files.debug, debug?.symbols.function(at: linked))
                ?? read(files.code, code?.symbols.function(at: linked))
        else { return nil }
        function.address &+= loadBias
        return function
    }
}
