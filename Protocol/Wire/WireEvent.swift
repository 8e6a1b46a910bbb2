// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Events in the form of the ring. Render threads of both sides.

import CWireLayout

/// One event in a ring.
public typealias WireEvent = CWireLayout_Event

extension WireEvent {
    /// `[render]` A new value of a parameter.
    @_noLocks
    public init(parameter address: UInt64, value: Double, sampleTime: Int64, rampFrameCount: UInt32 = 0) {
        self.init(
            sampleTime: sampleTime, kind: UInt8(CWireLayout_eventParameter), cable: 0, byteCount: 0, flags: 0,
            rampFrameCount: rampFrameCount, address: address, value: value.bitPattern)
    }

    /// `[render]` Up to 16 bytes of MIDI; the first byte is in the lowest bits of `low`.
    @_noLocks
    public init(midiLow low: UInt64, high: UInt64, byteCount: UInt8, cable: UInt8, continues: Bool, sampleTime: Int64) {
        self.init(
            sampleTime: sampleTime, kind: UInt8(CWireLayout_eventMIDI), cable: cable, byteCount: min(byteCount, 16),
            flags: continues ? UInt8(CWireLayout_eventContinues) : 0, rampFrameCount: 0, address: low, value: high)
    }
}
