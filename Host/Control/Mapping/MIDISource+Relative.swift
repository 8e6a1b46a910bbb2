// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Encoders that send by how much they were turned, and not where they are. Any thread.

extension MIDISource.Kind {
    /// True if messages hold steps and no positions.
    var isRelative: Bool { steps(0) != nil }

    /// The steps in a data byte, below 0 to the left; nil for a kind with positions.
    func steps(_ data: Int) -> Int? {
        switch self {
        // 1, 2, … to the right, and 127, 126, … to the left.
        case .relativeTwos: data < 64 ? data : data - 128
        // 65, 66, … to the right, and 63, 62, … to the left.
        case .relativeOffset: data - 64
        // 1, 2, … to the right, and 65, 66, … to the left.
        case .relativeSign: data < 64 ? data : 64 - data
        default: nil
        }
    }
}

extension MappingMotion {
    /// The value after a turn of an encoder by some steps; a whole turn of a knob has 127.
    ///
    /// Parts of a whole number are kept for the next turn.
    mutating func stepped(_ present: PresentValue) -> Double? {
        guard let steps = position, steps != 0 else { return nil }
        let range = mapping.range
        let from = givenValue == present.value ? place : nil
        let next = max(0, min(1, (from ?? range.position(of: present.value, mapping.curve)) + Double(steps) / 127))
        place = next
        return range.value(at: next, mapping.curve)
    }

    /// The value of a switch after a turn: one end to the right, the other one to the left.
    func switched() -> Double? {
        guard let steps = position, steps != 0 else { return nil }
        if isOfCommand { return steps > 0 ? 1 : nil }
        return steps > 0 ? mapping.range.maximum : mapping.range.minimum
    }
}
