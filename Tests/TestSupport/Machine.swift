// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What some machines lack, for tests that cannot do without. Any thread.

import Glibc

/// The machine that the tests run on.
public enum Machine {
    /// Whether a terminal can be made: a bare chroot has no devpts.
    public static let hasTerminals = access("/dev/pts/ptmx", F_OK) == 0
}
