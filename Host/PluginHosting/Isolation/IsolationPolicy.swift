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

extension Component {
    /// What the units that share a process have in common; nil for a unit with a process of its own.
    func companionship(_ policy: IsolationPolicy) -> String? {
        let common: String
        switch policy {
        case .outOfProcess, .individually, .inProcess: return nil
        case .byPlugin: common = "plug-in \(id) in \(home)"
        case .byManufacturer:
            // Units without a manufacturer's name have no common manufacturer.
            let maker = manufacturerName.isEmpty || manufacturerName == Self.unknownMaker ? "\(id) in \(home)" : manufacturerName
            common = "manufacturer \(maker)"
        case .together: common = "all"
        }
        // An unconfined plug-in would take the units of its process out of their confinement, and what one may read by a grant its
        // companions could read as well.
        let hasRights = profile == .off || !granted.isEmpty
        return hasRights ? "\(common), with rights of its own, \(id) in \(home)" : common
    }

    /// The name that the bridges give to the maker of a plug-in that names none.
    private static let unknownMaker = "unknown"
}
