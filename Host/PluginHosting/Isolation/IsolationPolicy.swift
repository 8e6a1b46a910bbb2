// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which units of a chain share a process, as somebody wants it. Any thread.

/// Whose process a unit lives in.
public enum IsolationPolicy: String, Codable, Hashable, Sendable {
    /// Out of process, as the chain has it. In a process of its own where the chain says nothing either.
    case outOfProcess = "out-of-process"
    /// In a process of its own.
    case individually
    /// With the other units of the same plug-in that want so.
    case byPlugin = "by-plugin"
    /// With the other units of the same manufacturer that want so.
    case byManufacturer = "by-manufacturer"
    /// With all others that want so.
    case together
    /// In the host's, if the plug-in consents.
    case inProcess = "in-process"

    /// Those that can be asked for.
    public static let choices: [IsolationPolicy] = [.individually, .byPlugin, .byManufacturer, .together, .inProcess]

    /// The same, or the chain's where nothing is said.
    public func completed(by chain: IsolationPolicy) -> IsolationPolicy {
        self != .outOfProcess ? self : chain
    }
}

extension Component {
    /// What the units that share a process have in common; nil for one that has a process of its own.
    func companionship(_ policy: IsolationPolicy) -> String? {
        let common: String
        switch policy {
        case .outOfProcess, .individually, .inProcess: return nil
        case .byPlugin: common = "plug-in \(id) in \(home)"
        case .byManufacturer:
            // Whoever does not say who made it was made by nobody in particular.
            let maker = manufacturerName.isEmpty || manufacturerName == Self.unknownMaker ? "\(id) in \(home)" : manufacturerName
            common = "manufacturer \(maker)"
        case .together: common = "all"
        }
        // An unconfined plug-in would let its company out too.
        return profile == .off ? "\(common), unconfined, \(id) in \(home)" : common
    }

    /// What the bridges call the maker of a plug-in that names none.
    private static let unknownMaker = "unknown"
}
