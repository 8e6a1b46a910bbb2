// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The non-registered parameter that each channel's data entry moves. The MIDI thread.

import Rendering

/// Follows the controllers that choose a parameter: 99 and 98 for a non-registered one, 101 and 100 for a registered one.
struct NumberedParameters {
    private struct Choice {
        var (high, low): (Int, Int) = (127, 127)
        var isNonRegistered = false
    }

    private var choices = [Choice](repeating: Choice(), count: 16)

    /// Takes a message, and returns the chosen number of its channel; nil if no non-registered parameter is chosen.
    mutating func take(_ message: MIDIInputMessage) -> Int? {
        let channel = Int(message.status & 15)
        if message.status >> 4 == 0xB {
            let value = Int(message.data2 & 127)
            switch message.data1 {
            case 99: (choices[channel].high, choices[channel].isNonRegistered) = (value, true)
            case 98: (choices[channel].low, choices[channel].isNonRegistered) = (value, true)
            case 100, 101: choices[channel].isNonRegistered = false
            default: break
            }
        }
        let choice = choices[channel]
        // 127 and 127 choose none.
        guard choice.isNonRegistered, (choice.high, choice.low) != (127, 127) else { return nil }
        return choice.high << 7 | choice.low
    }
}
