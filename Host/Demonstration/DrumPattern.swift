// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The drum pattern of the demonstration: the time and the velocity of each stroke. Control thread.

/// Four bars of sixteenth notes, the fourth with a fill.
///
/// A digit is a velocity in ninths, a dot a rest.
enum DrumPattern {
    static let stepsPerBar = 16

    static let kick = [
        "9......5..8.....", "9..4......8..5..", "9......5..8.....", "9..4..7...8.....",
    ]
    static let snare = [
        "....8..1.2..8..2", "....8..2.1..8...", "....8..1.2..8..2", "....8..2.2..8134",
    ]
    static let closedHat = [
        "8.5.7.5.8.5.7.42", "8.5.7.5.8.5272..", "8.5.7.5.8.5.7.42", "8.5.7.5.8.5.7...",
    ]
    static let openHat = [
        "................", "..............7.", "................", "..............7.",
    ]

    struct Hit {
        let bar: Int
        let step: Int
        /// The velocity from 0 to 1.
        let velocity: Double
    }

    /// The strokes of the first `bars` bars.
    static func hits(_ pattern: [String], bars: Int) -> [Hit] {
        (0..<bars).flatMap { bar in
            pattern[bar % pattern.count].utf8.enumerated().compactMap { step, digit in
                digit == UInt8(ascii: ".") ? nil : Hit(bar: bar, step: step, velocity: Double(digit - 48) / 9)
            }
        }
    }
}

/// The bass line and the chords under the drums: A minor 9, D 13, F major 9, E 7 sharp 9.
enum DrumLoopHarmony {
    struct Note {
        let step: Double
        let length: Double
        let note: Int
        let velocity: Double
    }

    static let chords = [[55, 59, 60, 64], [54, 59, 60, 64], [55, 57, 60, 64], [56, 62, 67]]
    static let roots = [33, 38, 29, 28]

    /// A bass bar: it follows the bass drum, and walks to the next root.
    static func bass(bar: Int) -> [Note] {
        let root = roots[bar % 4]
        let next = roots[(bar + 1) % 4]
        return [
            Note(step: 0, length: 3.4, note: root, velocity: 1),
            Note(step: 7, length: 1, note: root + 12, velocity: 0.6),
            Note(step: 10, length: 2.2, note: root, velocity: 0.85),
            Note(step: 13, length: 0.9, note: root + 7, velocity: 0.6),
            Note(step: 15, length: 0.8, note: next + (next > root ? -1 : 1), velocity: 0.7),
        ]
    }

    /// The chords of a bar: a long one on the one, and a short one before the three.
    static func chord(bar: Int) -> [Note] {
        chords[bar % 4].enumerated().flatMap { voice, note in
            [
                Note(step: 0 + 0.04 * Double(voice), length: 5, note: note, velocity: 0.75),
                Note(step: 7, length: 1.4, note: note, velocity: 0.55),
            ]
        }
    }
}
