// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Denormal numbers off for a render call, and back as they were. Render thread.

import CRealtimeShims

/// The floating-point control register of the calling thread.
public struct FloatingPointMode {
    @usableFromInline let bits: UInt32

    /// Flushes denormals to zero, in results and operands, and returns the mode that was in force.
    ///
    /// `[render]` A reverb's tail decays into denormals, each of which can cost a hundred cycles.
    @inlinable @_noLocks public static func disableDenormals() -> FloatingPointMode {
        FloatingPointMode(bits: CRealtimeShims_disableDenormals())
    }

    /// Puts the register back.
    @inlinable @_noLocks public func restore() { CRealtimeShims_restoreFloatingPointMode(bits) }

    @inlinable @_noLocks init(bits: UInt32) { self.bits = bits }
}
