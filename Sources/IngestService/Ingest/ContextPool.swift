// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Objects of C that are dear to make, kept for who needs one next.
final class ContextPool: Sendable {
    private struct Context: @unchecked Sendable {  // used by the one who took it
        let pointer: OpaquePointer
    }

    private static let mostIdle = 8

    private let idle = Mutex<[Context]>([])
    private let make: @Sendable () -> OpaquePointer?
    private let free: @Sendable (OpaquePointer) -> Void

    init(make: @escaping @Sendable () -> OpaquePointer?, free: @escaping @Sendable (OpaquePointer) -> Void) {
        self.make = make
        self.free = free
    }

    /// Nil where none can be made.
    func with<Result>(_ body: (OpaquePointer) -> Result) -> Result? {
        guard let context = idle.withLock({ $0.popLast() }) ?? make().map(Context.init) else { return nil }
        defer { keep(context) }
        return body(context.pointer)
    }

    private func keep(_ context: Context) {
        let isKept = idle.withLock { contexts in
            guard contexts.count < Self.mostIdle else { return false }
            contexts.append(context)
            return true
        }
        if !isKept { free(context.pointer) }
    }
}
