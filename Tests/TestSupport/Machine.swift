// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The features that some machines lack, for tests that need them. Any thread.

import Confinement
import Glibc
import LinuxSystem

/// The machine of the tests.
package enum Machine {
    /// Whether a terminal can be made: a bare chroot has no devpts.
    package static let hasTerminals = access("/dev/pts/ptmx", F_OK) == 0

    /// Whether a confined process has a /tmp, which `tmpfile(3)` needs.
    ///
    /// lilv writes dynamic manifests there.
    package static let givesFolders = ConfinementOffer.current.namespaces.contains(.mount)
}
