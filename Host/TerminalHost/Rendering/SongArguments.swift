// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options for a MIDI file that is rendered: its tempo and its keys, and what is said of it. Main thread.

import AudioFormats
import AudioGraph
import Console

/// The changes to a song on a command line.
struct SongArguments {
    private var tempo: Double?
    private var transposition = 0
    /// The first option that was given.
    private(set) var option: String?

    static let section = "MIDI files"

    static var table: [OptionReader<Self>] {
        [
            .number(
                "--tempo", "BPM", in: 1...1000,
                "Begin the song at this tempo, in quarter notes a minute; later tempos keep their proportion",
                default: "that of the file"
            ) {
                ($0.tempo, $0.option) = ($1, $0.option ?? "--tempo")
            },
            .integer(
                "--transpose", "N", in: -127...127,
                "Raise the keys of all channels by N semitones, but not those of channel 10, the drums",
                default: "0"
            ) {
                ($0.transposition, $0.option) = ($1, $0.option ?? "--transpose")
            },
        ]
    }

    /// Reads a song and changes it; says what of it is not heard.
    func song(_ path: String, isStrict: Bool) throws -> MIDISongFile {
        var song = try MIDISongFile(path: path, takesPipes: true, isStrict: isStrict)
        if let tempo { song.begin(atTempo: tempo) }
        song.transpose(by: transposition)
        if song.lostNoteCount > 0 {
            let notes = song.lostNoteCount == 1 ? "1 note" : "\(song.lostNoteCount) notes"
            Terminal.printError("With --transpose \(transposition), \(notes) of \"\(path)\" left the keys of MIDI, 0 to 127.")
        }
        return song
    }
}

/// A rest that is longer than any song needs.
struct LongRest {
    /// The most seconds without a message that are rendered unasked.
    private static let mostSeconds = 3600.0

    /// The sentence about the rest; nil if it is short enough.
    let sentence: String?

    init(_ seconds: Double, in path: String) {
        sentence =
            seconds > Self.mostSeconds
            ? "\"\(path)\" has a rest of \(Self.text(seconds)), in which no message comes" : nil
    }

    /// Throws for a rest that the user has not allowed.
    func ask(isAllowed: Bool) throws {
        guard let sentence, !isAllowed else { return }
        throw CommandError.failed("\(sentence): render all of it with --long, or cut the file.")
    }

    private static func text(_ seconds: Double) -> String {
        let units = [("year", 31_557_600.0), ("day", 86_400.0), ("hour", 3600.0)]
        let (name, length) = units.first { seconds >= 2 * $0.1 } ?? ("minute", 60)
        return "\(Int(nearestFrame: (seconds / length).rounded(.down))) \(name)s"
    }
}
