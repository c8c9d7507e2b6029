// SPDX-License-Identifier: Apache-2.0

/// Words that a later version may add to.
extension EventType: JSONReadable, JSONWritable {}
extension FaultAccess: JSONReadable, JSONWritable {}
extension FrameStatus: JSONReadable, JSONWritable {}
extension FrameTrust: JSONReadable, JSONWritable {}
extension HangOutcome: JSONReadable, JSONWritable {}
extension ImageStatus: JSONReadable, JSONWritable {}
extension ItemKind: JSONReadable, JSONWritable {}
extension Level: JSONReadable, JSONWritable {}
extension MessageSource: JSONReadable, JSONWritable {}
extension ReasonKind: JSONReadable, JSONWritable {}
extension SessionStatus: JSONReadable, JSONWritable {}
extension SourceOrigin: JSONReadable, JSONWritable {}
extension StackOrigin: JSONReadable, JSONWritable {}
