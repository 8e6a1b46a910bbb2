// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a session plays, connected to its engine. Main thread.

import AudioFiles
import AudioGraph
import Console
import GraphDocuments

/// The player of a session's file, or the song, or neither where the sound comes from elsewhere.
struct ConnectedSource {
    let kind: ChainSource
    /// The MIDI file that is played.
    let songs: [MIDISongFile]
    /// What the chain hears; nil for the engine's input.
    let input: AudioNode?
    /// What plays a file.
    private let player: (node: AudioPlayerNode, audio: LoadedAudio, isLooping: Bool)?
    /// Whether a MIDI file plays to its end.
    let endsWithSong: Bool
    /// Whether a MIDI file is repeated.
    let loopsSong: Bool
    /// The frames of the file at the rate of the driver.
    private var scheduledFrameCount = 0

    /// Makes what plays the source, in an engine that does not run yet.
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

    /// What the chain hears of a file: the player, or a mixer behind it where the file has more channels than the chain.
    private static func mixDown(
        _ audio: LoadedAudio, of player: AudioPlayerNode, to format: AudioFormat, in engine: AudioEngine
    ) throws -> AudioNode {
        let isOther = format.layout != nil && audio.channelLayout != format.layout
        guard audio.channelCount > format.channelCount || isOther else { return player }
        // On two channels a file that does not say what its own stand for is mixed by their number.
        let layout = audio.channelLayout ?? (format.channelCount > 2 ? .usual(audio.channelCount) : nil)
        let mixer = AudioMixerNode()
        _ = try engine.attach(mixer).get()
        try engine.connect(
            player, to: mixer,
            format: AudioFormat(sampleRate: format.sampleRate, channelCount: audio.channelCount, layout: layout))
        return mixer
    }

    /// Has the player play the file, at the rate that the driver has now.
    ///
    /// At another rate later, the engine converts what the player plays.
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

    /// Whether all of it has been played, by a chain that plays a song as well.
    func isAtEnd(of chain: BuiltGraph) -> Bool {
        if endsWithSong { return chain.isAtEndOfSong }
        guard let player, !player.isLooping else { return false }
        return Int(player.node.playerTime.sampleTime ?? 0) >= scheduledFrameCount
    }
}
