// SPDX-License-Identifier: Apache-2.0

/// What was on a program's screen at one moment.
public struct ObservationSnapshot: Codable, Hashable, Sendable {
    /// The version of the documents of the observation bridge.
    public static let schemaVersion = 1

    public var schemaVersion: Int
    /// Names this capture; actions say which one they go by.
    public var captureIdentity: CaptureIdentity
    public var timestamp: Timestamp
    /// The host's name for the screen.
    public var screen: String?
    public var coordinateSpace: CoordinateSpace
    /// What the screen or window takes up.
    public var bounds: ElementBounds
    /// From back to front.
    public var elements: [ObservedElement]
    /// The host's tree had more elements, deeper ones or longer texts than a snapshot holds.
    public var truncated: Bool?

    /// A snapshot; a bridge makes them.
    public init(
        captureIdentity: CaptureIdentity, timestamp: Timestamp, screen: String?, coordinateSpace: CoordinateSpace,
        bounds: ElementBounds, elements: [ObservedElement], truncated: Bool = false
    ) {
        schemaVersion = Self.schemaVersion
        self.captureIdentity = captureIdentity
        self.timestamp = timestamp
        self.screen = screen
        self.coordinateSpace = coordinateSpace
        self.bounds = bounds
        self.elements = elements
        self.truncated = truncated ? true : nil
    }
}
