// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Notices and commands about a unit, which the render thread and the control thread exchange beside events. Both threads.

import Wire

/// A notice of the render thread; it travels in a ring inside the host, never on the wire.
enum UnitNotice: UInt8 {
    case died = 200
    case late = 201
    case caughtUp = 202
    case invalidReply = 203
    /// The unit itself reports that it cannot render.
    case unable = 207
    case invalidEvents = 204
    /// The unit rendered its first block after a fault.
    case recovered = 205
    /// The unit answered and did not ring the next one.
    case rangNobody = 206
    /// The unit rendered audio that must not be heard.
    case notANumber = 208
    case infinite = 209
    case tooLoud = 210
}

/// A command of the control thread to the render thread.
enum UnitCommand: UInt8 {
    case reset = 220
}

extension WireEvent {
    @_noLocks
    init(_ notice: UnitNotice, cycleIndex: UInt64, sampleTime: Int64) {
        self.init(
            sampleTime: sampleTime, kind: notice.rawValue, cable: 0, byteCount: 0, flags: 0, rampFrameCount: 0,
            address: cycleIndex, value: 0)
    }

    /// True if the event is the command to clear all sound.
    var isReset: Bool {
        @_noLocks get { kind == UnitCommand.reset.rawValue }
    }

    init(_ command: UnitCommand) {
        self.init(
            sampleTime: 0, kind: command.rawValue, cable: 0, byteCount: 0, flags: 0, rampFrameCount: 0, address: 0,
            value: 0)
    }
}
