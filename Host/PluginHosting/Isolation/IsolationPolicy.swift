// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The user's choice of processes for the units of a chain. Any thread.

/// `[any]` The choice of a unit's process.
package enum IsolationPolicy: String, Codable, Hashable, Sendable {
    /// Out of process, by the chain's policy; in a process of its own if that is `outOfProcess` too.
    case outOfProcess = "out-of-process"
    /// In a process of its own.
    case individually
    /// With the units of the same plug-in that have this policy.
    case byPlugin = "by-plugin"
    /// With the units of the same manufacturer that have this policy.
    case byManufacturer = "by-manufacturer"
    /// With all units that have this policy.
    case together
    /// In the host's process, if the plug-in consents.
    case inProcess = "in-process"

    /// The policies that a user can choose.
    package static let choices: [IsolationPolicy] = [.individually, .byPlugin, .byManufacturer, .together, .inProcess]

    /// True if units of different plug-ins may share a process, where each can read the others' files.
    var sharesProcess: Bool { self == .together || self == .byManufacturer }

    /// The same policy, or the chain's in place of `outOfProcess`.
    package func completed(by chain: IsolationPolicy) -> IsolationPolicy {
        self != .outOfProcess ? self : chain
    }
}

/// The common property of units that share a process.
///
/// It is a type of its own because a plug-in could forge a text: it chooses the name of its maker.
enum Companionship: Hashable {
    /// Units of exactly this plug-in.
    case plugin(id: String, home: String)
    /// Units of plug-ins that name this maker.
    case manufacturer(String)
    /// All units.
    case all
}

extension Component {
    /// The common property of units that share a process with this one; nil for a unit with a process of its own.
    func companionship(_ policy: IsolationPolicy) -> Companionship? {
        let own = Companionship.plugin(id: id, home: home)
        // An unconfined plug-in would take the units of its process out of their confinement. Its companions could also read the
        // files that were granted to it.
        let isPrivileged = profile == .off || !granted.isEmpty
        switch policy {
        case .outOfProcess, .individually, .inProcess: return nil
        case .byPlugin: return own
        case .byManufacturer:
            // Units without a manufacturer's name have no common manufacturer.
            let isNameless = manufacturerName.isEmpty || manufacturerName == Self.unknownMaker
            return isPrivileged || isNameless ? own : .manufacturer(manufacturerName)
        case .together: return isPrivileged ? own : .all
        }
    }

    /// The maker's name from the bridges for a plug-in that names none.
    private static let unknownMaker = "unknown"
}
