// SPDX-License-Identifier: Apache-2.0

/// What became of the search for an image's file.
public struct ImageStatus: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let found = ImageStatus(rawValue: "found")
    public static let missing = ImageStatus(rawValue: "missing")
    /// A file is at the recorded path, but with another build id.
    public static let mismatched = ImageStatus(rawValue: "mismatched")
    public static let malformed = ImageStatus(rawValue: "malformed")
    /// No frame lies in it.
    public static let unused = ImageStatus(rawValue: "unused")
}

/// An ELF object that was loaded in the process.
public struct DebugImage: Codable, Hashable, Sendable {
    public var type: String
    @ExplicitNull public var buildID: BuildID?
    @ExplicitNull public var debugID: String?
    /// The path as the process knew it.
    @ExplicitNull public var codeFile: String?
    /// Where the image starts in the process (its first loaded byte).
    public var imageAddress: HexAddress
    /// Bytes from there to the end of its last segment.
    @Defaulted public var imageSize: UInt64
    /// Actual minus linked address; nil where the sender did not know it.
    @ExplicitNull public var loadBias: HexAddress?
    @ExplicitNull public var status: ImageStatus?
    /// Where the file was found.
    @ExplicitNull public var source: String?

    public init(
        buildID: BuildID?, codeFile: String?, imageAddress: HexAddress, imageSize: UInt64, loadBias: HexAddress? = nil,
        status: ImageStatus? = nil, source: String? = nil
    ) {
        type = "elf"
        self.buildID = buildID
        debugID = buildID?.debugID
        self.codeFile = codeFile
        self.imageAddress = imageAddress
        self.imageSize = imageSize
        self.loadBias = loadBias
        self.status = status
        self.source = source
    }

    /// The last path component of the file.
    public var name: String? {
        codeFile.map { path in
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
            let last = path.utf8.index(after: slash)
            if last < path.utf8.endIndex { return String(path[last...]) }
            return path.split(separator: "/").last.map(String.init) ?? path
        }
    }

    public func contains(_ address: UInt64) -> Bool {
        address >= imageAddress.rawValue && address - imageAddress.rawValue < imageSize
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case type
        case buildID = "build_id"
        case debugID = "debug_id"
        case codeFile = "code_file"
        case imageAddress = "image_addr"
        case imageSize = "image_size"
        case loadBias = "load_bias"
        case status, source
    }
}
