// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

/// Stands directly before Foundation's own loading of HTTP, and has that do all of the work: for the same task, so that redirects, credentials,
/// bodies, files, timeouts and cancellation are as without it. No second task is made that could come back here.
/// Foundation calls it on the task's queue only.
final class RecordingURLProtocol: URLProtocol {
    private let stage = LoadingStage()
    private let requestID = UUID().uuidString
    private let capture = NetworkCapture.shared
    private var native: URLProtocol?

    override class func canInit(with request: URLRequest) -> Bool {
        NativeProtocol.type?.canInit(with: request) ?? false
    }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        switch stage.begin() {
        case .fresh: begin()
        case .due: if let fault = stage.fault { apply(fault) } else { load() }
        case .loading: native?.startLoading()
        case .waiting, .over: break
        }
    }

    override func stopLoading() {
        if task?.state == .canceling {
            stage.end()
            capture.recorder.didCancel(requestID)
        }
        native?.stopLoading()
    }

    private func begin() {
        guard let task, let request = task.originalRequest else { return }
        let kind = TaskKind(task)
        capture.recorder.didStart(requestID, ExchangeFacts(request, kind))
        let subject = FaultSubject(
            .urlSession, method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "")
        guard var fault = capture.context.decide(subject) else { return load() }
        // The file of a download cannot be made up.
        if kind == .download, fault.fault.isAnswer { fault = fault.unsupported }
        capture.recorder.note(requestID, fault.metadata)
        guard fault.isApplied else { return load() }
        if fault.delay > .zero { wait(for: fault, task) } else { apply(fault) }
    }

    /// Suspending and resuming has the task begin again, on its own queue.
    private func wait(for fault: FaultDecision, _ task: URLSessionTask) {
        stage.wait(for: fault)
        Later.run(after: fault.delay) { [stage] in
            guard stage.becomeDue() else { return }
            task.suspend()
            task.resume()
        }
    }

    /// Has Foundation do it.
    private func load() {
        guard let task, let type = NativeProtocol.type else { return }
        let native = type.init(
            task: task, cachedResponse: cachedResponse, client: LoadingClient(self, requestID, capture.recorder))
        self.native = native
        native.startLoading()
    }

    private func apply(_ fault: FaultDecision) {
        guard let task, let url = task.originalRequest?.url else { return load() }
        switch fault.fault {
        case .latency: load()
        case .error(let type): fail(URLError(type.code), fault, url)
        case .closeConnection: fail(URLError(.networkConnectionLost), fault, url)
        case .status, .response, .dropBytes:
            guard let answer = MadeUpAnswer(fault.fault, url: url) else { return load() }
            give(answer)
        }
    }

    private func fail(_ error: URLError, _ fault: FaultDecision, _ url: URL) {
        stage.end()
        capture.recorder.didFail(requestID, error: fault.errorText)
        let information: [String: Any] = [
            NSURLErrorFailingURLErrorKey: url
        ]
        client?.urlProtocol(self, didFailWithError: URLError(error.code, userInfo: information))
    }

    private func give(_ answer: MadeUpAnswer) {
        stage.end()
        capture.recorder.didReceiveResponse(requestID, AnswerFacts(answer.response))
        capture.recorder.didReceiveBody(requestID, answer.body)
        capture.recorder.didComplete(requestID)
        client?.urlProtocol(self, didReceive: answer.response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: answer.body)
        client?.urlProtocolDidFinishLoading(self)
    }
}
