// SPDX-License-Identifier: Apache-2.0

/// A kind of crash that the signal alone does not tell.
public struct ReasonKind: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The thread used up its stack.
    public static let stackOverflow = ReasonKind(rawValue: "stack_overflow")
    /// A call through a null pointer.
    public static let nullCall = ReasonKind(rawValue: "null_call")
    /// A watched thread does not go on.
    public static let hang = ReasonKind(rawValue: "hang")
    /// The kernel killed the process for memory.
    public static let outOfMemory = ReasonKind(rawValue: "out_of_memory")
    /// Another process killed it, or the kernel for a reason that it does not tell.
    public static let killed = ReasonKind(rawValue: "killed")
    /// The machine stopped while the process ran.
    public static let machineDown = ReasonKind(rawValue: "machine_down")
}
