// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Goes through the MIDI state of an instrument, message by message, to send it again. Render thread and control threads.

/// A place among the messages that set all values of an instrument.
struct ChannelControlsCursor {
    private var rank = 0
    private var index = 0
    private var step = 0

    @_noLocks init() {}

    /// The next message at a frame; nil after the last one.
    @_noLocks
    mutating func next(in controls: borrowing ChannelControls, at time: Int64) -> DueMessage? {
        while rank < ChannelControl.rankCount {
            guard index < controls.valueCount else {
                (rank, index, step) = (rank &+ 1, 0, 0)
                continue
            }
            let control = controls.control(at: index)
            guard control.rank == rank, step < control.stepCount else {
                (index, step) = (index &+ 1, 0)
                continue
            }
            step &+= 1
            if let message = control.message(step: step &- 1, at: time) { return message }
        }
        return nil
    }
}

extension ChannelControls {
    /// `[control]` The messages that set all values but those of pedals that hold notes: a saved pedal would stay down for ever.
    var messages: [DueMessage] {
        var (cursor, messages) = (ChannelControlsCursor(), [DueMessage]())
        while let message = cursor.next(in: self, at: 0) {
            let isPedal = message.status >> 4 == 0xB && [64, 66, 69].contains(message.data1)
            if !isPedal { messages.append(message) }
        }
        return messages
    }
}
