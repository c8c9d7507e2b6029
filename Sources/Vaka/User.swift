// SPDX-License-Identifier: Apache-2.0

extension Vaka {
    /// The person who uses the program, as far as the program tells.
    public struct User: Hashable, Sendable {
        /// As the person says.
        public enum Gender: String, Sendable {
            /// Sent as `female`.
            case female
            /// Sent as `male`.
            case male
        }

        /// What makes the person unique to the program.
        public var userId: String?
        /// Nil where it is not told.
        public var gender: Gender?
        /// Of the Gregorian calendar, such as 1999.
        public var yearOfBirth: Int?
        /// Never leaves memory in plain where `isPIIHashed` is true.
        public var email: String?
        /// Sent as it is.
        public var displayName: String?
        /// Never leaves memory in plain where `isPIIHashed` is true.
        public var phoneNumber: String?
        /// Whether e-mail address and phone number are replaced by keyed hashes before they are sent or written anywhere.
        /// That makes pseudonyms of them: the same person is known again, and who has the project's salt can find out whether
        /// a certain number is meant, for there are not that many numbers. Nil is true.
        public var isPIIHashed: Bool?
        /// Whatever else is worth knowing.
        public var other: [String: String]?

        /// A value; nothing is told to anybody before it is handed to `identify` or `restart`.
        public init(
            userId: String? = nil, gender: Gender? = nil, yearOfBirth: Int? = nil, email: String? = nil,
            displayName: String? = nil, phoneNumber: String? = nil, isPIIHashed: Bool? = true,
            other: [String: String]? = nil
        ) {
            self.userId = userId
            self.gender = gender
            self.yearOfBirth = yearOfBirth
            self.email = email
            self.displayName = displayName
            self.phoneNumber = phoneNumber
            self.isPIIHashed = isPIIHashed
            self.other = other
        }
    }
}
