// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the system-exclusive messages that are sent again after a jump: the last reset, and what was set since. Control threads.

extension MessageList {
    /// The system-exclusive messages that set one thing: the places of their first packets.
    struct ExclusiveState {
        let isReset: Bool
        var places: [Int32]
    }

    /// The states of all system-exclusive messages, in the order for sending them again: resets first.
    static func exclusiveStates(of messages: [SequencedMessage]) -> [ExclusiveState] {
        var found: [[UInt8]: Int] = [:]
        var states: [ExclusiveState] = []
        var index = 0
        while index < messages.count {
            let start = index
            index += 1
            guard messages[start].status == 0xF0 else { continue }
            while index < messages.count, messages[index].isPacket, messages[index].status != 0xF0 { index += 1 }
            let packets = messages[start..<index].map { ($0.status, $0.data1, $0.data2) }
            guard let bytes = SystemExclusivePacket.messages(of: packets).first else { continue }
            guard let key = subject(of: bytes) else { continue }
            if let state = found[key] {
                states[state].places.append(Int32(clamping: start))
            } else {
                found[key] = states.count
                states.append(ExclusiveState(isReset: key.isEmpty, places: [Int32(clamping: start)]))
            }
        }
        return states.filter(\.isReset) + states.filter { !$0.isReset }
    }

    /// The part of a message that names what it sets, and its length; a later message with both replaces it.
    ///
    /// Resets are one subject. Nil for a message that sets nothing that lasts.
    private static func subject(of bytes: [UInt8]) -> [UInt8]? {
        if SystemReset.isReset(bytes) { return [] }
        let (lasts, nameCount) = bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return (false, 0) }
            let subject = ExclusiveSubject(base, count: buffer.count)
            return (subject.lasts, subject.nameCount)
        }
        return lasts ? bytes.prefix(nameCount) + [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8 & 0xFF)] : nil
    }
}

extension SequencedMessage {
    /// True if it is a packet of a system-exclusive message; the next is true if that message ends in it.
    package var isPacket: Bool { @_noLocks get { SystemExclusivePacket.begins(with: status) } }
    var endsMessage: Bool { @_noLocks get { status == 0xF7 || data1 == 0xF7 || data2 == 0xF7 } }

    /// Makes the packets of one whole system-exclusive message at a beat.
    package static func packets(of bytes: [UInt8], beat: Double) -> [SequencedMessage] {
        SystemExclusivePacket.packets(of: bytes).map { SequencedMessage(beat: beat, $0.0, $0.1, $0.2) }
    }
}
