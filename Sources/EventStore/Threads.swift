// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Starts a detached thread with a stack of its own size; false where there can be none.
@discardableResult
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Box {
        let body: @Sendable () -> Void; init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // JSON of the allowed depth is decoded recursively.
    pthread_attr_setstacksize(&attributes, 4 << 20)
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    let result = pthread_create(
        &thread, &attributes,
        { argument in
            guard let argument else { return nil }
            Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, box)
    if result != 0 { Unmanaged<Box>.fromOpaque(box).release() }
    return result == 0
}
