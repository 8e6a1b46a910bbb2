// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Cache lines that threads on two processors exchange. Render thread.

import CLinuxShims

/// The unit of memory that moves between processors.
public enum CacheLine {
    /// `[any]` The size of a cache line in bytes.
    public static var byteCount: Int { @_noLocks get { 64 } }

    /// `[render]` Makes the processor fetch the lines of `byteCount` bytes at `address`, which will be written soon.
    ///
    /// A write to a line that another processor holds waits for that line, and all later writes wait for it.
    @_noLocks
    public static func fetchForWriting(_ address: UnsafeRawPointer, byteCount: Int) {
        for offset in stride(from: 0, to: byteCount, by: Self.byteCount) {
            CLinuxShims_prefetchForWriting(address + offset)
        }
    }
}
