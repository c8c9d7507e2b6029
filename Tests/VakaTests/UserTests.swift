// SPDX-License-Identifier: Apache-2.0
import Delivery
import TestSupport
import Testing
import VakaModel

@testable import Vaka

@Suite struct UserTests {
    static let user = Vaka.User(
        userId: "42", gender: .female, yearOfBirth: 1999, email: "Mail@Me.com ", displayName: "John Doe",
        phoneNumber: "+966 53 612 345", other: ["plan": "pro"])

    @Test func addressAndNumberAreHashedByDefault() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url)
        setup.client.identify(Self.user)
        setup.client.capture(message: "hello", level: .info)
        setup.client.track("a", [:])
        setup.client.flush()
        let event = try #require(try server.events().first)
        let salt = Digest.sha256("vaka pseudonyms\nvk_test")
        #expect(
            event.user == [
                "id": "42", "gender": "female", "year_of_birth": 1999, "display_name": "John Doe",
                "email_hash": .string(Digest.hmac(key: salt, "mail@me.com")),
                "phone_number_hash": .string(Digest.hmac(key: salt, "+96653612345")), "other": ["plan": "pro"],
            ])
        let sent = String(describing: try server.requests())
        #expect(!sent.lowercased().contains("mail@me.com") && !sent.contains("612 345") && !sent.contains("3612345"))
    }

    @Test func plainlyWhereTheHostSaysSo() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url)
        var user = Self.user
        user.isPIIHashed = false
        setup.client.identify(user)
        setup.client.capture(message: "hello", level: .info)
        setup.client.identify(nil)
        setup.client.capture(message: "bye", level: .info)
        setup.client.flush()
        let users = try server.events().map(\.user)
        #expect(users[0]?["email"] == "Mail@Me.com " && users[0]?["phone_number"] == "+966 53 612 345")
        #expect(users[0]?["email_hash"] == nil)
        #expect(users[1] == nil)
    }

    @Test func theSaltIsTheProjectsOrTheKeys() throws {
        let server = try ScriptedServer()
        var hashes: [JSONValue?] = []
        for (salt, key) in [("s", "vk_a"), ("s", "vk_b"), (nil, "vk_a"), (nil, "vk_b")] as [(String?, String)] {
            let setup = try ClientSetup(url: server.url) {
                $0.pseudonymSalt = salt
                $0.key = key
            }
            setup.client.identify(Self.user)
            setup.client.capture(message: "hello", level: .info)
            setup.client.flush()
            hashes.append(try server.events().last?.user?["email_hash"])
        }
        #expect(hashes[0] == .string(Digest.hmac(key: "s", "mail@me.com")))
        #expect(hashes[0] == hashes[1])
        #expect(Set(hashes).count == 3)
    }
}
