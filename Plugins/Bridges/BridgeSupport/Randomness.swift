// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Restarts the C library's random numbers. Control thread.

import Glibc

/// The random numbers that the plug-ins of a process share.
public enum Randomness {
    /// `[control]` Sets `rand`, `random` and `drand48` to fixed seeds.
    ///
    /// So a new instance sounds like the first one: two renderings of a file are equal, and a reset leaves no trace.
    public static func restart() {
        srand(1)
        srandom(1)
        // The upper 32 bits of drand48's state; srand48 sets the lower 16 to 0x330E.
        srand48(0x1234_ABCD)
    }
}
