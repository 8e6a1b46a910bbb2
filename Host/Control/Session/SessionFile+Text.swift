// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The text of a session's file, into which the states of effects are written piece by piece. Control thread.

import FoundationEssentials
import LinuxSystem
import PluginHosting

/// The text of a session's file.
///
/// The encoder gets a random mark in the place of each state. A state of 60 MiB in base64 would otherwise be in memory several times.
struct SessionFileText {
    /// The error of a text that is not wanted any more.
    struct GivenUp: Error {}

    private enum Piece {
        case text(Data)
        case state(Data)
    }

    private var pieces: [Piece] = []
    /// The bytes of the whole text.
    private(set) var byteCount = 0
    /// The bytes of a state that are encoded at once; three of them become four.
    private static let stateStride = 3 << 18

    init(_ file: SessionFile) throws {
        var marks = StateMarks()
        let text = try ReadableJSON.encode(file.replacingStates { marks.mark($0) }) + [0x0A]
        var start = text.startIndex
        while let (place, state) = marks.next(in: text[start...]) {
            add(.text(text[start..<place.lowerBound]))
            add(.state(state))
            start = place.upperBound
        }
        add(.text(text[start...]))
    }

    private mutating func add(_ piece: Piece) {
        pieces.append(piece)
        switch piece {
        case .text(let text): byteCount += text.count
        case .state(let state): byteCount += (state.count + 2) / 3 * 4
        }
    }

    /// Writes the text into a file, as long as it is wanted.
    func write(to descriptor: Int32, act: String, while isWanted: () -> Bool) throws {
        for piece in pieces {
            switch piece {
            case .text(let text): try Descriptor.write(Array(text), to: descriptor, act)
            case .state(let state):
                for start in stride(from: state.startIndex, to: state.endIndex, by: Self.stateStride) {
                    guard isWanted() else { throw GivenUp() }
                    let part = state[start..<min(start + Self.stateStride, state.endIndex)]
                    try Descriptor.write(Array(part.base64EncodedData()), to: descriptor, act)
                }
            }
        }
        guard isWanted() else { throw GivenUp() }
    }
}

/// Random marks, as bytes in the place of states and in base64 in a text; no plug-in can guess one.
private struct StateMarks {
    private let start: Data
    private var states: [Data: Data] = [:]

    init() {
        var random = SystemRandomNumberGenerator()
        // 24 bytes are 32 characters, so that all marks begin with the same ones.
        start = Data((0..<24).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    /// A new mark for a state.
    mutating func mark(_ state: Data) -> Data {
        let number = String(states.count)
        let mark = start + Data((String(repeating: "0", count: max(0, 9 - number.utf8.count)) + number).utf8)
        states[mark.base64EncodedData()] = state
        return mark
    }

    /// The place of the first mark in a text, and its state.
    func next(in text: Data) -> (place: Range<Data.Index>, state: Data)? {
        let beginning = start.base64EncodedData()
        var rest = text
        while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest[(quote + 1)...]
            guard rest.starts(with: beginning) else { continue }
            let mark = rest.prefix(44)
            return states[Data(mark)].map { (mark.startIndex..<mark.endIndex, $0) }
        }
        return nil
    }
}
