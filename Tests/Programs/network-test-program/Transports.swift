// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import VakaNetwork

/// Every transport there is, registered once, or none of them.
final class Transports {
    let isRegistered: Bool
    let session: URLSession
    /// Its delegate forwards to the adapter.
    let forwarding: URLSession
    let delegate: ForwardingDelegate
    let webSockets: WebSocketNetworkCaptureAdapter?
    let sockets: SocketNetworkCaptureAdapter?

    init(isRegistered: Bool) {
        self.isRegistered = isRegistered
        let capture = NetworkCapture.shared
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 20
        let plain = URLSessionConfiguration.ephemeral
        if isRegistered {
            capture.registerURLSession(configuration)
            // A second time changes nothing.
            session = URLSession(configuration: capture.registerURLSession(configuration).configuration)
            delegate = ForwardingDelegate(capture.registerURLSessionDelegate(plain).adapter)
            webSockets = capture.registerWebSocket()
            sockets = capture.registerSocket()
        } else {
            session = URLSession(configuration: configuration)
            delegate = ForwardingDelegate(nil)
            webSockets = nil
            sockets = nil
        }
        forwarding = URLSession(configuration: plain, delegate: delegate, delegateQueue: nil)
    }
}

/// A program's own delegate, which tells the adapter what it is told.
final class ForwardingDelegate: NSObject, URLSessionDataDelegate, Sendable {
    let adapter: URLSessionNetworkCaptureAdapter?
    let done = DispatchSemaphore(value: 0)

    init(_ adapter: URLSessionNetworkCaptureAdapter?) {
        self.adapter = adapter
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        adapter?.didReceive(response, for: dataTask)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        adapter?.didReceive(data, for: dataTask)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        adapter?.didComplete(task, error: error)
        // A host that forwards twice.
        adapter?.didComplete(task, error: error)
        done.signal()
    }
}
