// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The source of a session, before its connection. Main thread.

import AudioFiles
import AudioGraph

/// The source of a session.
enum SessionSource {
    case file(LoadedAudio, isLooping: Bool)
    case driverInputs
    /// A MIDI file, which plays the instruments.
    case song(MIDISongFile, isLooping: Bool)
    /// MIDI input, which plays the instruments.
    case midiPorts
    /// The players of a graph from a file.
    case graph

    /// The kind of input for the first units of a chain.
    var kind: ChainSource {
        switch self {
        case .file, .driverInputs, .graph: .sound
        case .song(let song, _): .song(path: song.path)
        case .midiPorts: .midiPort
        }
    }

    /// The MIDI file; nil for another source.
    var song: MIDISongFile? { if case .song(let song, _) = self { song } else { nil } }

    /// The player of the instruments, for messages; nil if the source is sound.
    var midiSentence: String? {
        switch self {
        case .file, .driverInputs, .graph: nil
        case .song(let song, _): "\"\(song.path)\" is MIDI"
        case .midiPorts: "MIDI is to play this chain"
        }
    }
}
