// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Switches denormal numbers off during a render call, and back afterwards. Render thread.

import CRealtimeShims

/// The floating-point control register of the calling thread.
public struct FloatingPointMode {
    @usableFromInline let bits: UInt32

    /// Flushes denormals to zero, in results and operands; returns the mode before that.
    ///
    /// `[render]` The tail of a reverb decays into denormals, each of which can cost a hundred cycles.
    @inlinable @_noLocks public static func disableDenormals() -> FloatingPointMode {
        FloatingPointMode(bits: CRealtimeShims_disableDenormals())
    }

    /// `[render]` The mode at present.
    @inlinable @_noLocks public static func current() -> FloatingPointMode {
        let mode = disableDenormals()
        mode.restore()
        return mode
    }

    /// `[render]` Restores the register.
    @inlinable @_noLocks public func restore() { CRealtimeShims_restoreFloatingPointMode(bits) }

    @inlinable @_noLocks init(bits: UInt32) { self.bits = bits }
}
