// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lines of the processor's cache, where threads on two processors pass them to and fro. Render thread.

import CLinuxShims

/// The pieces of memory that processors have from each other.
public enum CacheLine {
    public static var byteCount: Int { @_noLocks get { 64 } }

    /// `[render]` Has the processor fetch the lines of `byteCount` bytes from `address` on, which are written to soon. What is written to
    /// one that another processor has waits for it, and so does all that is written later.
    @_noLocks
    public static func fetchForWriting(_ address: UnsafeRawPointer, byteCount: Int) {
        for offset in stride(from: 0, to: byteCount, by: Self.byteCount) {
            CLinuxShims_prefetchForWriting(address + offset)
        }
    }
}
