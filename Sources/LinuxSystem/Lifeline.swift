// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes the kernel cut a thread's lifeline and ring a doorbell when the thread dies. The thread itself.

import CLinuxShims

/// Makes the kernel report a thread's death to a peer within microseconds.
///
/// Linux walks a dying thread's list of robust futexes before it tears the process down. The list made here holds the
/// lifeline, in which the kernel sets bit 30 (FUTEX_OWNER_DIED). It names the doorbell as the operation in progress, so the
/// kernel wakes the thread that sleeps there. See `futex(2)` and `set_robust_list(2)`.
public enum Lifeline {
    /// The bit that the kernel sets in the word.
    public static let ownerDied: UInt32 = 0x4000_0000

    /// The list of a registered thread.
    public struct Registration {
        fileprivate let list: UnsafeMutableRawPointer

        /// `[render]` Makes the kernel ring another doorbell when the thread dies; only the registered thread calls this.
        @_noLocks
        public func point(at doorbell: UnsafeMutablePointer<UInt32>) { CLinuxShims_pointLifeline(list, doorbell) }
    }

    /// Registers for the calling thread, for the rest of its life; the small list is never freed.
    ///
    /// The thread must not use robust pthread mutexes. The doorbell's low 30 bits must be zero.
    public static func register(
        lifeline: UnsafeMutablePointer<UInt32>, doorbell: UnsafeMutablePointer<UInt32>
    ) throws(SystemError) -> Registration {
        let list = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        let result = CLinuxShims_registerLifeline(list, lifeline, doorbell)
        try SystemError.check(result, "register the render thread's lifeline")
        return Registration(list: list)
    }

    /// Withdraws the registration of the calling thread, which will end normally.
    public static func withdraw() { CLinuxShims_withdrawLifeline() }

    /// `[render]` True if a lifeline's word shows that its thread is dead.
    @_noLocks
    public static func isCut(_ word: UInt32) -> Bool { word & ownerDied != 0 }
}
