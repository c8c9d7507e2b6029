// SPDX-License-Identifier: Apache-2.0

/// What a user is in a project.
package enum Role: String, CaseIterable, Sendable {
    case admin
    case member
    case readOnly = "read-only"

    package var permissions: Set<Permission> {
        switch self {
        case .admin: Permission.admin.implied
        case .member: [.read, .images, .write, .upload]
        case .readOnly: [.read, .images]
        }
    }
}
