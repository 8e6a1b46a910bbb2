// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The source of a session, connected to its engine. Main thread.

import AudioFiles
import AudioGraph
import Console
import GraphDocuments

/// The player of a session's file, or the song; neither for other sources.
struct ConnectedSource {
    let kind: ChainSource
    /// The MIDI file that plays; empty without one.
    let songs: [MIDISongFile]
    /// The node that the chain reads; nil for the engine's input.
    let input: AudioNode?
    /// The player of a sound file.
    private let player: (node: AudioPlayerNode, audio: LoadedAudio, isLooping: Bool)?
    /// True if a MIDI file plays to its end.
    let endsWithSong: Bool
    /// True if a MIDI file repeats.
    let loopsSong: Bool
    /// The frames of the file at the rate of the driver.
    private var scheduledFrameCount = 0

    /// Connects the source in an engine that does not run yet.
    init(_ source: SessionSource, in engine: AudioEngine, _ format: AudioFormat) throws {
        kind = source.kind
        var loopsSong = false
        switch source {
        case .file(let audio, let isLooping):
            let node = AudioPlayerNode()
            _ = try engine.attach(node).get()
            (player, songs, endsWithSong) = ((node, audio, isLooping), [], false)
            input = try Self.mixDown(audio, of: node, to: format, in: engine)
        case .song(let song, let isLooping):
            if isLooping, song.lengthInBeats > 0 { engine.transport.loopRange = 0..<song.lengthInBeats }
            (player, songs, endsWithSong, input, loopsSong) = (nil, [song], !isLooping, nil, isLooping)
        case .midiPorts, .driverInputs, .graph: (player, songs, endsWithSong, input) = (nil, [], false, nil)
        }
        self.loopsSong = loopsSong
    }

    /// The chain's input for a file: the player, or a mixer behind it if the file has more channels than the chain.
    private static func mixDown(
        _ audio: LoadedAudio, of player: AudioPlayerNode, to format: AudioFormat, in engine: AudioEngine
    ) throws -> AudioNode {
        let isOther = format.layout != nil && audio.channelLayout != format.layout
        guard audio.channelCount > format.channelCount || isOther else { return player }
        // On two channels, a file without a layout is mixed by its number of channels.
        let layout = audio.channelLayout ?? (format.channelCount > 2 ? .usual(audio.channelCount) : nil)
        let mixer = AudioMixerNode()
        _ = try engine.attach(mixer).get()
        try engine.connect(
            player, to: mixer,
            format: AudioFormat(sampleRate: format.sampleRate, channelCount: audio.channelCount, layout: layout))
        return mixer
    }

    /// Schedules the file on the player, at the driver's present rate.
    ///
    /// If the rate changes later, the engine converts the player's sound.
    mutating func schedule(at sampleRate: Double, channelCount: Int) throws {
        guard let (node, audio, isLooping) = player else { return }
        let converted = try audio.converted(to: sampleRate)
        guard let whole = converted.buffer(channelCount: max(channelCount, audio.channelCount)) else {
            throw CommandError.failed("There is no memory for \(converted.frameCount) frames of audio.")
        }
        scheduledFrameCount = converted.frameCount
        _ = try node.scheduleBuffer(whole, options: isLooping ? .loops : []).get()
        node.play()
    }

    /// True at the end of the file, or at the end of the song that the chain plays.
    func isAtEnd(of chain: BuiltGraph) -> Bool {
        if endsWithSong { return chain.isAtEndOfSong }
        guard let player, !player.isLooping else { return false }
        return Int(player.node.playerTime.sampleTime ?? 0) >= scheduledFrameCount
    }
}
