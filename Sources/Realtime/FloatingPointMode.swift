// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Denormal numbers off for a render call, and back as they were. Render thread.

import CRealtimeShims

/// The floating-point control register of the calling thread.
public struct FloatingPointMode {
    private let bits: UInt32

    /// Flushes denormals to zero, in results and operands, and returns the mode that was in force.
    ///
    /// `[render]` A reverb's tail decays into denormals, each of which can cost a hundred cycles.
    @_noLocks public static func disableDenormals() -> FloatingPointMode {
        FloatingPointMode(bits: CRealtimeShims_disableDenormals())
    }

    /// Puts the register back.
    @_noLocks public func restore() { CRealtimeShims_restoreFloatingPointMode(bits) }

    @_noLocks private init(bits: UInt32) { self.bits = bits }
}
