// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A knob or key of a MIDI controller: reads its messages, and writes those that show a value on it. Any thread.

import Rendering

/// One knob, fader, wheel, key or program of a MIDI controller.
package struct MIDISource: Hashable, Sendable {
    /// The kind of its messages.
    package enum Kind: String, CaseIterable, Sendable {
        /// A controller of 7 bits.
        case controller = "cc"
        /// A controller of 14 bits: a pair of controllers, numbered by the one with the coarse bits.
        case fineController = "cc14"
        case pitchBend = "bend"
        case pressure
        case note
        case program
        /// A non-registered parameter, which controllers 99 and 98 choose, and 6 and 38 move.
        case numbered = "nrpn"
        /// A controller that sends steps: in two's complement, beside 64, or with a sign.
        case relativeTwos = "rel-twos"
        case relativeOffset = "rel-offset"
        case relativeSign = "rel-sign"

        /// The numbers of the kind; nil if a channel has only one source of the kind.
        var numbers: ClosedRange<Int>? {
            switch self {
            // Controllers from 120 on are commands to the instrument.
            case .controller, .relativeTwos, .relativeOffset, .relativeSign: 0...119
            case .numbered: 0...16_382
            case .fineController: 0...31
            case .pitchBend, .pressure: nil
            case .note, .program: 0...127
            }
        }
    }

    package let kind: Kind
    /// The channel, 1 to 16.
    package let channel: Int
    /// The number of the controller, key or program, as messages have it; 0 for other kinds.
    package let number: Int

    /// Makes a source; nil if the channel or the number is out of range.
    package init?(_ kind: Kind, channel: Int, number: Int = 0) {
        guard (1...16).contains(channel), (kind.numbers ?? 0...0).contains(number) else { return nil }
        (self.kind, self.channel, self.number) = (kind, channel, number)
    }

    /// Reads `KIND:CHANNEL:NUMBER`, such as `cc:1:74`, or `KIND:CHANNEL` for the bend and the pressure.
    package init(text: String) throws(ControlError) {
        let words = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let kind = words.first.flatMap({ Kind(rawValue: String($0)) }) else {
            let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlError(
                .badField,
                "\(ControlRequest.quoted(text)) is no source; write KIND:CHANNEL:NUMBER, such as cc:1:74. Kinds are \(kinds).")
        }
        let numbers = words.dropFirst().map { Int($0) ?? -1 }
        guard numbers.count == (kind.numbers == nil ? 1 : 2),
            let source = MIDISource(kind, channel: numbers[0], number: numbers.count > 1 ? numbers[1] : 0)
        else {
            let form = kind.numbers.map { ":NUMBER, with numbers from \($0.lowerBound) to \($0.upperBound)" } ?? ""
            throw ControlError(
                .badField,
                "\(ControlRequest.quoted(text)) is no source; write \(kind.rawValue):CHANNEL\(form), and channels from 1 to 16.")
        }
        self = source
    }

    /// The source as `init(text:)` reads it.
    package var text: String {
        kind.numbers == nil ? "\(kind.rawValue):\(channel)" : "\(kind.rawValue):\(channel):\(number)"
    }

    /// True if it sends positions, which may differ from the value.
    var isAbsolute: Bool { [.controller, .fineController, .pitchBend, .pressure, .numbered].contains(kind) }

    /// True if a message ends what the one before began, as with keys; a program has no end.
    var isMomentary: Bool { kind == .note || kind == .program }

    /// The highest position; the lowest one is 0.
    var highestPosition: Int {
        switch kind {
        case .fineController, .pitchBend, .numbered: 16_383
        default: 127
        }
    }
}

extension MIDISource {
    /// The position in a message, from 0 to `highestPosition`, or the steps of an encoder; nil for a message of another source.
    ///
    /// `former` is the source's position before, because a message holds only 7 of 14 bits. `numbered` is the non-registered parameter that
    /// is chosen on the channel.
    func position(of message: MIDIInputMessage, former: Int, numbered: Int? = nil) -> Int? {
        let (data1, data2) = (Int(message.data1 & 127), Int(message.data2 & 127))
        guard Int(message.status & 15) == channel - 1 else { return nil }
        switch (kind, message.status >> 4) {
        case (.controller, 0xB): return data1 == number ? data2 : nil
        // By the standard, the coarse half sets the fine one to 0.
        case (.fineController, 0xB) where data1 == number: return data2 << 7
        case (.fineController, 0xB) where data1 == number + 32: return former & ~127 | data2
        case (.relativeTwos, 0xB), (.relativeOffset, 0xB), (.relativeSign, 0xB): return data1 == number ? kind.steps(data2) : nil
        // Many controllers send the coarse half alone; its bits in both halves reach the highest position.
        case (.numbered, 0xB) where numbered == number && data1 == 6: return data2 << 7 | data2
        case (.numbered, 0xB) where numbered == number && data1 == 38: return former & ~127 | data2
        case (.pitchBend, 0xE): return data2 << 7 | data1
        case (.pressure, 0xD): return data1
        case (.note, 0x9): return data1 == number ? data2 : nil
        case (.note, 0x8): return data1 == number ? 0 : nil
        case (.program, 0xC): return data1 == number ? 127 : nil
        default: return nil
        }
    }

    /// The messages that show a position on the controller.
    func messages(showing position: Int) -> [[UInt8]] {
        let channel = UInt8(channel - 1)
        let (coarse, fine) = (UInt8(position >> 7 & 127), UInt8(position & 127))
        switch kind {
        case .controller: return [[0xB0 | channel, UInt8(number), fine]]
        case .fineController: return [[0xB0 | channel, UInt8(number), coarse], [0xB0 | channel, UInt8(number + 32), fine]]
        case .pitchBend: return [[0xE0 | channel, fine, coarse]]
        case .pressure: return [[0xD0 | channel, fine]]
        case .note: return [[0x90 | channel, UInt8(number), fine]]
        case .program: return position > 0 ? [[0xC0 | channel, UInt8(number)]] : []
        case .numbered:
            let choice: [(UInt8, UInt8)] = [(99, UInt8(number >> 7 & 127)), (98, UInt8(number & 127)), (6, coarse), (38, fine)]
            return choice.map { [0xB0 | channel, $0.0, $0.1] }
        // An encoder shows no position.
        case .relativeTwos, .relativeOffset, .relativeSign: return []
        }
    }

    /// The source of a message; nil if it moved nothing, as at the end of a note.
    ///
    /// `numbered` is the non-registered parameter that is chosen on the channel.
    static func moved(by message: MIDIInputMessage, numbered: Int?) -> MIDISource? {
        let (channel, number) = (Int(message.status & 15) + 1, Int(message.data1))
        switch message.status >> 4 {
        // They choose a parameter, and move nothing.
        case 0xB where (98...101).contains(number): return nil
        case 0xB where numbered != nil && (number == 6 || number == 38):
            return MIDISource(.numbered, channel: channel, number: numbered ?? 0)
        case 0x9 where message.data2 > 0: return MIDISource(.note, channel: channel, number: number)
        case 0xB: return MIDISource(.controller, channel: channel, number: number)
        case 0xC: return MIDISource(.program, channel: channel, number: number)
        case 0xD: return MIDISource(.pressure, channel: channel)
        case 0xE: return MIDISource(.pitchBend, channel: channel)
        default: return nil
        }
    }

    /// The 14-bit controller that two 7-bit ones make, in either order; nil if they are no pair.
    func joined(with other: MIDISource) -> MIDISource? {
        guard kind == .controller, other.kind == .controller, channel == other.channel, abs(number - other.number) == 32 else {
            return nil
        }
        return MIDISource(.fineController, channel: channel, number: min(number, other.number))
    }
}

extension MIDISource: Codable {
    /// Reads the text.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(ControlError) {
            try self.init(text: text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
        }
    }

    /// Writes the text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
