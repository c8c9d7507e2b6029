// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What the processor was at in one thread: registers, the instructions around the one that it was to carry out, and what was
/// captured of the memory that registers point to.
struct MachineState: Codable, Sendable {
    struct Register: Codable, Sendable {
        var name: String
        var value: HexAddress
        /// What lies there: an image and the offset in it, or a thread's stack.
        @ExplicitNull var place: String?
    }

    struct Line: Codable, Sendable {
        var address: HexAddress
        /// In hexadecimal.
        var bytes: String
        var text: String
        /// The processor was to carry it out, or had just done so where it trapped.
        var isCurrent: Bool
        @ExplicitNull var function: String?
        @ExplicitNull var file: String?
        @ExplicitNull var line: Int?
        /// Of a call or a jump: the function that it leads to.
        @ExplicitNull var target: String?

        enum CodingKeys: String, CodingKey {
            case address, bytes, text, function, file, line, target
            case isCurrent = "current"
        }
    }

    struct Region: Codable, Sendable {
        /// The registers that point into it.
        var registers: [String]
        var address: HexAddress
        /// In hexadecimal.
        var bytes: String
    }

    var thread: Int
    /// Registers, and words of stacks, that may hold texts were left out; such words are 0xfe bytes.
    var pointersOnly = false
    var registers: [Register] = []
    var instructions: [Line] = []
    /// `memory`, as it was captured, or `image`, as the file has it.
    @ExplicitNull var instructionsFrom: String?
    @ExplicitNull var whyNoInstructions: String?
    var memory: [Region] = []
    @ExplicitNull var whyNoMemory: String?

    init(thread: Int) {
        self.thread = thread
        instructionsFrom = nil
        whyNoInstructions = nil
        whyNoMemory = nil
    }

    enum CodingKeys: String, CodingKey {
        case thread, registers, instructions, memory
        case pointersOnly = "pointers_only"
        case instructionsFrom = "instructions_from"
        case whyNoInstructions = "why_no_instructions"
        case whyNoMemory = "why_no_memory"
    }
}
