// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Glibc
import VakaNetwork

// `get=PATH`, `get-as=PATH` (with user, password, query and fragment), `post=PATH` (a body, and credentials in headers), `upload=PATH`, `download=PATH`, `async=PATH`,
// `async-upload=PATH`, `async-download=PATH`, `delegate=PATH`, `recording=PATH`, `refused`, `cancel=PATH`, `hold=PATH`, `manual=URL`; more are in
// EdgeSteps.swift.

func url(_ path: String) -> URL {
    URL(string: path.hasPrefix("http") ? path : "http://127.0.0.1:\(http)\(path)") ?? URL(fileURLWithPath: "/")
}

func request(_ path: String, _ method: String) -> URLRequest {
    var request = URLRequest(url: url(path))
    request.httpMethod = method
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    request.setValue("token", forHTTPHeaderField: "x-API-key")
    request.setValue("plain", forHTTPHeaderField: "X-Plain")
    return request
}

/// What came of a task, in words.
final class Outcome: @unchecked Sendable {  // written before the signal, read after it
    private let done = DispatchSemaphore(value: 0)
    private var text = ""

    func told(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        let status = (response as? HTTPURLResponse).map { "\($0.statusCode)" } ?? "-"
        let failure = error.map { "error \(($0 as NSError).code)" }
        text = failure ?? "\(status) \(data.map { String(decoding: $0.prefix(40), as: UTF8.self) } ?? "nothing")"
        done.signal()
    }

    func wait() { done.wait() }

    func said() {
        done.wait()
        say(text)
    }
}

@MainActor func performHTTP(_ name: String, _ value: String) -> Bool {
    let outcome = Outcome()
    switch name {
    case "get", "get-as":
        let address =
            name == "get" ? value : "http://me:secret@127.0.0.1:\(http)\(value)?token=secret#secret"
        transports.session.dataTask(with: url(address)) { outcome.told($0, $1, $2) }.resume()
    case "post":
        var post = request(value, "POST")
        post.httpBody = Data("hello".utf8)
        transports.session.dataTask(with: post) { outcome.told($0, $1, $2) }.resume()
    case "upload":
        let body = Data(repeating: 0x61, count: 5000)
        transports.session.uploadTask(with: request(value, "PUT"), from: body) { outcome.told($0, $1, $2) }.resume()
    case "download":
        transports.session.downloadTask(with: request(value, "GET")) { place, response, error in
            outcome.told(place.flatMap { try? Data(contentsOf: $0) }, response, error)
        }.resume()
    case "recording":
        RecordingURLSession.make(configuration: .ephemeral).downloadTask(with: request(value, "GET")) {
            outcome.told($0.flatMap { try? Data(contentsOf: $0) }, $1, $2)
        }.resume()
    case "async", "async-upload", "async-download": performAsync(name, value, outcome)
    case "delegate":
        let task = transports.forwarding.dataTask(with: request(value, "GET"))
        transports.delegate.adapter?.didCreate(task)
        say(transports.delegate.adapter?.evaluateFault(for: task)?.fault.action.rawValue ?? "no fault")
        task.resume()
        transports.delegate.done.wait()
        return true
    case "refused": transports.session.dataTask(with: url("http://127.0.0.1:1/")) { outcome.told($0, $1, $2) }.resume()
    case "hold":
        hold(transports.session.dataTask(with: url(value)) { outcome.told($0, $1, $2) })
        return true
    case "cancel":
        let task = transports.session.dataTask(with: url(value)) { outcome.told($0, $1, $2) }
        task.resume()
        usleep(200_000)
        task.cancel()
    case "manual":
        var record = NetworkCapture.Record(timestamp: .now, url: value, method: "QUERY", requestID: UUID().uuidString)
        record.requestHeaders = ["Cookie": "secret", "X-Plain": "plain"]
        record.requestBody = "secret body"
        NetworkCapture.shared.recordRequest(record)
        return true
    default: return performEdge(name, value)
    }
    outcome.said()
    return true
}

/// Has it begin, and waits until the recorder knows of it.
func hold(_ task: URLSessionTask) {
    let recorder = NetworkCapture.shared.recorder
    let before = recorder.openCount
    task.resume()
    for _ in 0..<20_000 where recorder.openCount == before { usleep(1000) }
    if recorder.openCount == before { say("\(task.originalRequest?.url?.path ?? "") has not begun") }
}

@MainActor private func performAsync(_ name: String, _ value: String, _ outcome: Outcome) {
    let session = transports.session
    let get = request(value, name == "async-upload" ? "POST" : "GET")
    Task.detached {
        do {
            switch name {
            case "async-upload":
                let (data, response) = try await session.upload(for: get, from: Data("sent".utf8))
                outcome.told(data, response, nil)
            case "async-download":
                let (place, response) = try await session.download(for: get)
                outcome.told(try Data(contentsOf: place), response, nil)
            default:
                let (data, response) = try await session.data(for: get)
                outcome.told(data, response, nil)
            }
        } catch {
            outcome.told(nil, nil, error)
        }
    }
}
