// SPDX-License-Identifier: Apache-2.0

/// What a frame does in a stack.
package enum FrameClass: String, Codable, Sendable {
    /// The program's own code.
    case app
    /// Libraries that came with the system or the language.
    case system
    /// A language runtime's check that ends the program.
    case runtimeTrap = "runtime_trap"
    /// Raising, aborting, throwing, asserting.
    case abort
    case allocator
    case lock
    case dispatch
    /// The program's main function: every stack of its main thread ends there, unless a tail call took it away.
    case entry
    /// Where a thread begins; nothing further out tells programs apart.
    case threadBase = "thread_base"

    /// At the head of a stack these say how the program ended, not where the fault is.
    var endsTheProgram: Bool {
        switch self {
        case .runtimeTrap, .abort, .allocator: true
        case .app, .system, .lock, .dispatch, .entry, .threadBase: false
        }
    }
}
