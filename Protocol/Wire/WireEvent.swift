// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Events as they lie in a ring. Render threads of both sides.

import CWireLayout

public typealias WireEvent = CWireLayout_Event

extension WireEvent {
    /// A parameter's new value.
    @_noLocks
    public init(parameter address: UInt64, value: Double, sampleTime: Int64, rampFrameCount: UInt32 = 0) {
        self.init(
            sampleTime: sampleTime, kind: UInt8(CWireLayout_eventParameter), cable: 0, byteCount: 0, flags: 0,
            rampFrameCount: rampFrameCount, address: address, value: value.bitPattern)
    }

    /// Up to 16 bytes of MIDI, the first in the lowest bits of `low`.
    @_noLocks
    public init(midiLow low: UInt64, high: UInt64, byteCount: UInt8, cable: UInt8, continues: Bool, sampleTime: Int64) {
        self.init(
            sampleTime: sampleTime, kind: UInt8(CWireLayout_eventMIDI), cable: cable, byteCount: min(byteCount, 16),
            flags: continues ? UInt8(CWireLayout_eventContinues) : 0, rampFrameCount: 0, address: low, value: high)
    }
}
