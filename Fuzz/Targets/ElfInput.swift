// SPDX-License-Identifier: Apache-2.0

/// An ELF file, in every way there is.
enum ElfInput {
    static func run(_ bytes: [UInt8]) {
        let input = InputFile(bytes)
        ImageReading.everything(path: input.path)
    }
}
