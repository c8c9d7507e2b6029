// SPDX-License-Identifier: Apache-2.0
import CElfutils
import FoundationEssentials

/// The dynamic linker's list of what it loaded (`r_debug` and `link_map` of link.h), made anew: a report does not hold
/// it, and debuggers find the libraries of a core by it.
struct CoreLinkMap {
    /// Where it lies, on pages that nothing else is on.
    let address: UInt64
    let data: Data

    private static let entryBytes: UInt64 = 40
    private static let page: UInt64 = 4096

    /// - Parameters:
    ///   - images: the executable first.
    ///   - lowest, highest: the ends of what the process had, as far as is known.
    init?(_ images: [CoreImageFile], interpreter: UInt64?, lowest: UInt64, highest: UInt64) {
        let names = images.enumerated().map { $0.offset == 0 ? [0] : Array($0.element.path.utf8) + [0] }
        let namesOffset = Self.entryBytes * UInt64(images.count + 1)
        let bytes = names.reduce(namesOffset) { $0 + UInt64($1.count) }
        let pages = (bytes + Self.page - 1) / Self.page * Self.page
        let below = lowest & ~(Self.page - 1)
        if below > pages + 0x1_0000 {
            address = below - pages
        } else {
            let above = highest.addingReportingOverflow(Self.page)
            guard !above.overflow, !(above.partialValue & ~(Self.page - 1)).addingReportingOverflow(pages).overflow
            else { return nil }
            address = above.partialValue & ~(Self.page - 1)
        }
        var data = Data()
        data.append(words: [1, address + Self.entryBytes, 0, 0, interpreter ?? 0])
        var name = address + namesOffset
        for (index, image) in images.enumerated() {
            let own = address + Self.entryBytes * UInt64(index + 1)
            let next = index + 1 < images.count ? own + Self.entryBytes : 0
            let previous = index > 0 ? own - Self.entryBytes : 0
            data.append(words: [image.bias, name, image.dynamicSection?.address ?? 0, next, previous])
            name += UInt64(names[index].count)
        }
        names.forEach { data.append(contentsOf: $0) }
        self.data = data
    }

    /// A dynamic section as the dynamic linker leaves it: `DT_DEBUG` leads to this list. Nil without such an entry.
    func linked(_ section: Data) -> Data? {
        var result = Data(section)
        for offset in stride(from: 0, to: section.count - 15, by: 16) {
            let tag = result.withUnsafeBytes { $0.value(Int64.self, at: offset) }
            guard tag != Int64(DT_NULL) else { return nil }
            guard tag == Int64(DT_DEBUG) else { continue }
            withUnsafeBytes(of: address.littleEndian) { result.replaceSubrange(offset + 8..<offset + 16, with: $0) }
            return result
        }
        return nil
    }
}

extension Data {
    mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }

    mutating func append(words: [UInt64]) {
        for word in words { append(integer: word) }
    }

    mutating func pad(to count: Int) {
        if self.count < count { append(contentsOf: repeatElement(0, count: count - self.count)) }
    }
}
