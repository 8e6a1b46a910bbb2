// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Goes through the system-exclusive messages of an instrument, packet by packet, to send them again. Render thread.

/// A place among the packets of all kept messages.
///
/// If a message arrives meanwhile, all are sent once more: the last one then wins.
struct ExclusiveMessagesCursor {
    private var place = 0
    private var index = 0
    private var revision: UInt64?

    @_noLocks init() {}

    /// The number of pieces of five packets that the rest of the present message takes; 0 at the end.
    @_noLocks
    func pieceCount(in messages: borrowing ExclusiveMessages) -> Int {
        let isSame = revision == messages.revision
        guard let record = messages.record(at: isSame ? place : 0) else { return 0 }
        return (record.byteCount &- (isSame ? index : 0) &+ 14) / 15
    }

    /// The next packet at a frame; nil after the last one.
    @_noLocks
    mutating func next(in messages: borrowing ExclusiveMessages, at time: Int64) -> DueMessage? {
        if revision != messages.revision { (place, index, revision) = (0, 0, messages.revision) }
        guard let record = messages.record(at: place) else { return nil }
        let packet = DueMessage(
            time: time, messages.byte(index, of: record), messages.byte(index &+ 1, of: record),
            messages.byte(index &+ 2, of: record),
            cable: record.cable)
        index &+= 3
        if index >= record.byteCount { (place, index) = (record.end, 0) }
        return packet
    }
}
