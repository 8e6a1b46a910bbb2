// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A network namespace without anything in it, for all confined processes of this one. Any thread.

import CConfinementShims
import LinuxSystem

/// A tenth of a process's start is its network namespace, though nothing is ever in there, and the kernel has to clear it away
/// again. Nobody who enters has a right to anything in it, its owner's included.
struct CommonNetwork: Sendable {
    /// Descriptors, open as long as this process runs.
    let namespace: Int32
    let owner: Int32

    /// Made when it is first asked for; nil where it cannot be made, or entered.
    static let current = CommonNetwork()

    private init?() {
        var (namespace, owner): (Int32, Int32) = (-1, -1)
        let others = ConfinementOffer.current.namespaces.subtracting([.network, .process]).reduce(0) { $0 | $1.flag }
        guard CConfinementShims_makeNetwork(others, &namespace, &owner) >= 0 else { return nil }
        (self.namespace, self.owner) = (namespace, owner)
    }
}
