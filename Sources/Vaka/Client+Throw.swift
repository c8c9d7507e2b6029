// SPDX-License-Identifier: Apache-2.0
import CVakaHost

extension Client {
    /// From now on the stacks of throws are kept, where the runtime has a hook for it.
    func watchThrows() {
        guard options.throwStacks, vaka_host_watch_throws() != 0 else { return }
        log("this program's Swift runtime has no hook for throws: errors have the stack of their capture")
    }

    /// Nil where it is not known: the error was thrown long ago, as an error of a known type, or not at all.
    func stackOfThrow(of error: any Error) -> CallStack? {
        options.throwStacks ? CallStack(ofThrow: error) : nil
    }
}

extension CallStack {
    fileprivate init?(ofThrow error: any Error, limit: Int = 48) {
        var addresses = [UnsafeMutableRawPointer?](repeating: nil, count: limit)
        // An error's existential is the reference to its box, which is what the runtime hands to its hook. As an optional
        // it is not opened on the way.
        let existential: (any Error)? = error
        guard let box = unsafeBitCast(existential, to: UnsafeRawPointer?.self) else { return nil }
        let count = withExtendedLifetime(error) { vaka_host_throw_stack(box, &addresses, addresses.count) }
        guard count > 0 else { return nil }
        self.init(addresses: addresses.prefix(count).compactMap { $0 })
    }
}
