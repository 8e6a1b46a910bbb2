// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An empty network namespace that all confined processes of this host share. Any thread.

import CConfinementShims
import LinuxSystem

/// A network namespace that confined processes enter instead of making one each.
///
/// Making one takes a tenth of a process's start, and the kernel must clean it up afterwards. A process that enters has no
/// rights in the namespace, nor in the user namespace that owns it.
struct CommonNetwork: Sendable {
    /// The two namespaces as descriptors, open for as long as this process runs.
    let namespace: Int32
    let owner: Int32

    /// The network of this process, made at first use; nil if it cannot be made or entered.
    static let current = CommonNetwork()

    private init?() {
        var (namespace, owner): (Int32, Int32) = (-1, -1)
        let others = ConfinementOffer.current.namespaces.subtracting([.network, .process]).reduce(0) { $0 | $1.flag }
        guard CConfinementShims_makeNetwork(others, &namespace, &owner) >= 0 else { return nil }
        (self.namespace, self.owner) = (namespace, owner)
    }
}
