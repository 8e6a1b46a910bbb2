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
            let (key, isReset) = (subject(of: bytes), SystemReset.isReset(bytes))
            if let state = found[key] {
                states[state].places.append(Int32(clamping: start))
            } else {
                found[key] = states.count
                states.append(ExclusiveState(isReset: isReset, places: [Int32(clamping: start)]))
            }
        }
        return states.filter(\.isReset) + states.filter { !$0.isReset }
    }

    /// The part of a message that names what it sets; a later message with the same part replaces it.
    ///
    /// Resets are one subject. A message of an unknown kind replaces only messages with the same bytes.
    private static func subject(of bytes: [UInt8]) -> [UInt8] {
        if SystemReset.isReset(bytes) { return [] }
        guard bytes.count > 8 || bytes[1] == 0x7F else { return bytes }
        switch bytes[1] {
        // Device control: volume, balance, tuning.
        case 0x7F where bytes.count > 4 && bytes[3] == 0x04: return Array(bytes[..<5])
        // The address of a parameter of one byte: two for the length, three for the address.
        case 0x41 where bytes[3] == 0x42 && bytes.count == 11: return Array(bytes[..<8])
        case 0x43 where bytes[3] == 0x4C && bytes.count == 9: return Array(bytes[..<7])
        default: return bytes
        }
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
