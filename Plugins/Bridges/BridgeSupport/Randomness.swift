// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Begins the C library's random numbers anew. Control thread.

import Glibc

/// The random numbers that the plug-ins of a process share.
public enum Randomness {
    /// Sets `rand`, `random` and `drand48` to where every process starts, so that a new instance sounds as the first one
    /// did: the same file rendered twice is the same, and a reset leaves no trace.
    public static func restart() {
        srand(1)
        srandom(1)
        // The upper 32 bits of the state that drand48 starts from; srand48 sets the lower 16 as they are there.
        srand48(0x1234_ABCD)
    }
}
