// SPDX-License-Identifier: Apache-2.0
import Privacy
import VakaModel

/// What a project says about secrets in its events.
struct ScrubSettings: Codable, Hashable {
    struct Rule: Codable, Hashable {
        var name: String
        var pattern: String
    }

    /// Built-in rules that do not hold.
    @Defaulted var off: [String]
    /// Rules that hold on request only.
    @Defaulted var on: [String]
    /// Rules of the project's own.
    @Defaulted var rules: [Rule]
    /// Names of members whose values are secrets.
    @Defaulted var names: [String]
    /// Fields of users that are taken out.
    @Defaulted var userFields: [String]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case off, on, rules, names
        case userFields = "user_fields"
    }

    static let mostRules = 32
    static let mostNames = 100

    /// Throws what is wrong with a rule.
    func scrubber() throws(APIError) -> PayloadScrubber {
        let own = rules.map { ScrubRule($0.name, [$0.pattern]) }
        for rule in own {
            do throws(ScrubPatternError) {
                _ = try ScrubPlan([rule])
            } catch {
                throw RequestFields.wrong("rules", "has \"\(rule.name.prefix(40))\", whose pattern \(error)")
            }
        }
        let rules =
            ScrubRule.builtIn.filter { !off.contains($0.name) } + ScrubRule.onRequest.filter { on.contains($0.name) }
            + own
        do throws(ScrubPatternError) {
            return PayloadScrubber(
                try ScrubPlan(rules, names: SecretNames(own: names)), droppedUserFields: Set(userFields))
        } catch {
            throw RequestFields.wrong("rules", "cannot be read: \(error)")
        }
    }
}
