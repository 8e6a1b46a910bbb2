// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A thread's last will: the kernel cuts its lifeline and rings a doorbell when it dies. The thread itself.

import CLinuxShims

/// Has the kernel tell a peer of this thread's death, within microseconds of it.
///
/// Linux walks a dying thread's list of robust futexes before it tears the process down. The list
/// made here holds the lifeline, which gets bit 30 (FUTEX_OWNER_DIED), and names the doorbell as the
/// operation in progress, whose sleeper is then woken. See `futex(2)` and `set_robust_list(2)`.
public enum Lifeline {
    /// The bit that the kernel sets in the word.
    public static let ownerDied: UInt32 = 0x4000_0000

    /// Registers for the calling thread, for the rest of its life; the small list is never freed.
    ///
    /// The thread must not use robust pthread mutexes. The doorbell's low 30 bits must be zero.
    public static func register(
        lifeline: UnsafeMutablePointer<UInt32>, doorbell: UnsafeMutablePointer<UInt32>
    ) throws(SystemError) {
        let list = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        let result = CLinuxShims_registerLifeline(list, lifeline, doorbell)
        try SystemError.check(result, "register the render thread's lifeline")
    }

    /// Takes the registration back, for a thread that goes on to end in order.
    public static func withdraw() { CLinuxShims_withdrawLifeline() }

    /// `[render]` Whether a lifeline word says that its thread is dead.
    @_noLocks
    public static func isCut(_ word: UInt32) -> Bool { word & ownerDied != 0 }
}
