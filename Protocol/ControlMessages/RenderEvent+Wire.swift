// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts render events to and from their form in the ring. Render threads of both sides.

import AudioUnits
import CWireLayout
import Wire

extension RenderEvent {
    /// `[render]` Reads an event of the ring; nil for a kind that this version does not know.
    @_noLocks
    package init?(_ event: WireEvent) {
        switch Int(event.kind) {
        case CWireLayout_eventParameter:
            self = .parameter(
                ParameterChange(
                    address: event.address, value: Double(bitPattern: event.value), rampFrameCount: event.rampFrameCount))
        case CWireLayout_eventMIDI:
            self = .midi(
                MIDIMessage(
                    low: event.address, high: event.value, byteCount: min(event.byteCount, 16), cable: event.cable,
                    continues: Int(event.flags) & CWireLayout_eventContinues != 0))
        default: return nil
        }
    }

    /// `[render]` The event in its form in the ring.
    @_noLocks
    package func wireEvent(at sampleTime: Int64) -> WireEvent {
        switch self {
        case .parameter(let change):
            WireEvent(
                parameter: change.address, value: change.value, sampleTime: sampleTime,
                rampFrameCount: change.rampFrameCount)
        case .midi(let message):
            WireEvent(
                midiLow: message.bytes.low, high: message.bytes.high, byteCount: message.byteCount,
                cable: message.cable, continues: message.continues, sampleTime: sampleTime)
        }
    }
}
