// SPDX-License-Identifier: Apache-2.0

/// Takes a request's body as it arrives. One thread at a time.
protocol BodySink: AnyObject {
    /// Throws when a bound is passed or the bytes are wrong; nothing is written afterwards.
    func write(_ bytes: UnsafeRawBufferPointer) throws(APIError)
    /// The whole body where it is small, at once; nil where only `finish` has it.
    func small() -> HTTPRequest.Body?
    /// The whole body; called once, on a thread that may wait.
    func finish() throws(APIError) -> HTTPRequest.Body
    /// Removes what was written, where no handler took it.
    func discard()
}

extension BodySink {
    func small() -> HTTPRequest.Body? { nil }
}
