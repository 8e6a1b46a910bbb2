// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The user's choice of which units of a chain share a process. Any thread.

/// `[any]` In whose process a unit lives.
package enum IsolationPolicy: String, Codable, Hashable, Sendable {
    /// Out of process, as the chain's policy says; in a process of its own if that is `outOfProcess` too.
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

    /// The same policy, or the chain's where this one is `outOfProcess`.
    package func completed(by chain: IsolationPolicy) -> IsolationPolicy {
        self != .outOfProcess ? self : chain
    }
}

/// What units that share a process have in common.
///
/// A type of its own, because a text could be made up: a plug-in chooses the name of its maker.
enum Companionship: Hashable {
    /// Units of exactly this plug-in.
    case plugin(id: String, home: String)
    /// Units of plug-ins that name this maker.
    case manufacturer(String)
    /// All units.
    case all
}

extension Component {
    /// What the units that share a process have in common; nil for a unit with a process of its own.
    func companionship(_ policy: IsolationPolicy) -> Companionship? {
        let own = Companionship.plugin(id: id, home: home)
        // An unconfined plug-in would take the units of its process out of their confinement, and what one may read by a grant its
        // companions could read as well.
        let hasRights = profile == .off || !granted.isEmpty
        switch policy {
        case .outOfProcess, .individually, .inProcess: return nil
        case .byPlugin: return own
        case .byManufacturer:
            // Units without a manufacturer's name have no common manufacturer.
            let isNameless = manufacturerName.isEmpty || manufacturerName == Self.unknownMaker
            return hasRights || isNameless ? own : .manufacturer(manufacturerName)
        case .together: return hasRights ? own : .all
        }
    }

    /// The name that the bridges give to the maker of a plug-in that names none.
    private static let unknownMaker = "unknown"
}
