// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the messages that set lasting values: programs, controllers, pitch bend, pressure. Control threads.

extension MessageList {
    /// The values that messages set, in the order for sending them again; then the places of each value's messages.
    ///
    /// System-exclusive messages come first, then a reset of all controllers, then banks before programs, and the number of a registered
    /// parameter before its value.
    static func states(of messages: [SequencedMessage]) -> (states: [State], places: [Int32]) {
        var found: [UInt16: [Int32]] = [:]
        for (index, message) in messages.enumerated() {
            if let key = key(of: message) { found[key, default: []].append(Int32(clamping: index)) }
        }
        let keys = found.keys.sorted { (rank($0), $0) < (rank($1), $1) }
        var (states, places) = ([State](), [Int32]())
        let exclusive = exclusiveStates(of: messages)
        for state in exclusive {
            states.append(State(status: 0xF0, number: 0, initial: nil, first: places.count, count: state.places.count))
            places += state.places
        }
        for key in keys {
            let own = found[key] ?? []
            let (status, number) = (UInt8(key >> 8), UInt8(key & 0xFF))
            states.append(
                State(status: status, number: number, initial: initial(status, number), first: places.count, count: own.count))
            places += own
        }
        for index in states.indices where isReset(states[index].status, states[index].number) {
            states[index].reset = states.firstIndex { $0.status == 0xB0 | states[index].status & 15 && $0.number == 121 } ?? -1
        }
        if exclusive.first?.isReset == true {
            for index in states.indices.dropFirst() { states[index].systemReset = 0 }
        }
        return (states, places)
    }

    /// The value that a message sets: its status, and the number of the controller or the key; nil for a message without one.
    private static func key(of message: SequencedMessage) -> UInt16? {
        switch message.status >> 4 {
        case 0xA: UInt16(message.status) << 8 | UInt16(message.data1)
        // From 120 on controllers are commands, except 121.
        case 0xB where message.data1 < 120 || message.data1 == 121: UInt16(message.status) << 8 | UInt16(message.data1)
        case 0xC, 0xD, 0xE: UInt16(message.status) << 8
        default: nil
        }
    }

    private static func rank(_ key: UInt16) -> Int {
        switch (UInt8(key >> 12), key & 0xFF) {
        case (0xB, 121): 0
        case (0xB, 0), (0xB, 32): 1
        case (0xC, _): 2
        case (0xB, 98...101): 3
        case (0xB, 6), (0xB, 38): 4
        default: 5
        }
    }

    /// The value before a first message, if it is known (General MIDI, RP-015).
    private static func initial(_ status: UInt8, _ number: UInt8) -> (UInt8, UInt8)? {
        switch (status >> 4, number) {
        case (0xA, _), (0xB, 1), (0xB, 64...69): (number, 0)
        case (0xB, 11): (number, 127)
        case (0xD, _): (0, 0)
        case (0xE, _): (0, 64)
        default: nil
        }
    }

    /// True if a reset of all controllers resets this value.
    private static func isReset(_ status: UInt8, _ number: UInt8) -> Bool {
        switch (status >> 4, number) {
        case (0xB, 0), (0xB, 32), (0xB, 7), (0xB, 10), (0xB, 91...95), (0xB, 121), (0xC, _): false
        default: true
        }
    }
}
