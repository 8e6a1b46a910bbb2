// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a session plays, before it is connected. Main thread.

import AudioFiles
import AudioGraph

/// The source of a session.
enum SessionSource {
    case file(LoadedAudio, isLooping: Bool)
    case driverInputs
    /// A MIDI file, which plays the instruments.
    case song(MIDISongFile, isLooping: Bool)
    /// What comes in by MIDI plays the instruments.
    case midiPorts
    /// The players of a graph that is in a file.
    case graph

    /// What the first units of a chain hear.
    var kind: ChainSource {
        switch self {
        case .file, .driverInputs, .graph: .sound
        case .song(let song, _): .song(path: song.path)
        case .midiPorts: .midiPort
        }
    }

    /// What plays the instruments, for messages; nil where sound does.
    var midiSentence: String? {
        switch self {
        case .file, .driverInputs, .graph: nil
        case .song(let song, _): "\"\(song.path)\" is MIDI"
        case .midiPorts: "MIDI is to play this chain"
        }
    }
}
