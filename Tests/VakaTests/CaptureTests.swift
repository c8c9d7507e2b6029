// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import Vaka

private struct SampleError: Error, CustomStringConvertible {
    var description: String { "the sample's own words" }
}

@Suite struct CaptureTests {
    func event(_ server: ScriptedServer, _ index: Int = 0) throws -> Event {
        let items = try server.requests().flatMap(\.items).filter { $0["kind"] == "event" }
        let payload = try #require(items.indices.contains(index) ? items[index]["payload"] : nil)
        return try ModelCoding.decode(Event.self, from: ModelCoding.encode(payload))
    }

    @Test func anErrorTakesAlongWhatIsKnown() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) {
            $0.sessionTracking = true
            $0.tags = ["flavor": "free"]
        }
        setup.client.identify(.init(userId: "user-123"))
        setup.client.setTag("shard", "7")
        setup.client.addBreadcrumb(category: "cart", message: "Added item 42", level: .info, data: ["n": 42])
        setup.client.capture(SampleError(), stack: CallStack())
        setup.client.flush()

        let event = try event(server)
        #expect(event.type == .error)
        #expect(event.level == .error)
        #expect(event.release == "app@1.0")
        #expect(event.environment == "test")
        #expect(event.user == ["id": "user-123"])
        #expect(event.tags == ["flavor": "free", "shard": "7"])
        #expect(event.breadcrumbs.map(\.message) == ["Added item 42"])
        #expect(event.breadcrumbs.first?.data == ["n": 42])
        #expect(event.session?.errors == 1)
        #expect(event.timestamp == setup.clock.time)
        #expect(event.contexts["process"]?["pid"] == .integer(Int64(ProcessInfo.processInfo.processIdentifier)))
        #expect(Set(event.contexts.keys) == ["os", "kernel", "libc", "host", "container", "process"])
        let error = try #require(event.errors.first)
        #expect(error.type.hasSuffix("SampleError"))
        #expect(error.message == "the sample's own words")
    }

    @Test func framesComeWithTheImagesThatHoldThem() throws {
        let stack = CallStack()
        #expect(stack.frames.count > 3)
        #expect(stack.frames.allSatisfy { $0.trust == .cfi })
        let placed = stack.frames.filter { $0.relativeAddress != nil }
        #expect(placed.count == stack.frames.count)
        for frame in placed {
            let image = stack.images.first { $0.contains(frame.instructionAddress.rawValue) }
            #expect(image?.buildID == frame.buildID)
            #expect(image?.name == frame.module)
        }
        for image in stack.images {
            #expect(stack.frames.contains { image.contains($0.instructionAddress.rawValue) })
        }
    }

    @Test func aMessage() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url)
        setup.client.capture(message: "Cache rebuilt", level: .warning)
        setup.client.flush()
        let event = try event(server)
        #expect(event.type == .message)
        #expect(event.level == .warning)
        #expect(event.errors == [ReportedError(type: "message", message: "Cache rebuilt")])
    }

    @Test func theLastBreadcrumbsAreKept() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url)
        for number in 1...130 {
            setup.client.addBreadcrumb(category: "c", message: "\(number)", level: .info, data: [:])
        }
        setup.client.capture(message: "m", level: .info)
        setup.client.flush()
        #expect(try event(server).breadcrumbs.compactMap(\.message) == (3...130).map(String.init))
    }

    @Test func clearedUserAndTag() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) { $0.tags = ["a": "1"] }
        setup.client.identify(.init(userId: "u"))
        setup.client.identify(nil)
        setup.client.setTag("a", nil)
        setup.client.capture(message: "m", level: .info)
        setup.client.flush()
        let event = try event(server)
        #expect(event.user == nil)
        #expect(event.tags.isEmpty)
    }
}
