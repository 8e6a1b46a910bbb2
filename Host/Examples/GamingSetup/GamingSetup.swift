// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sound of a game: a monster and a friend around the head, music through an equalizer, clicks of the interface. Main thread.

import AudioGraph
import Glibc
import PipeWireIO

/// The sound of a game, with three kinds of sources.
struct GamingSetup {
    let engine = AudioEngine()
    /// Things in space: the player of the game stands at the origin and looks to the front.
    private let space = AudioEnvironmentNode()
    private let monster = AudioPlayerNode()
    private let music = AudioPlayerNode()
    private let equalizer = AudioUnitEQ(numberOfBands: 1)
    private let interface = AudioPlayerNode()

    /// The place of the friend who talks: at the right, a little behind.
    private static let friend = Audio3DPoint(x: 1.5, y: 0, z: 0.5)
    /// The seconds in which the monster goes once around the head.
    private static let lap = 4.0

    /// Connects the space, the music and the interface to the main mixer, each on a way of its own.
    func connect(_ sounds: Sounds) throws {
        try engine.edit {
            for node in [space, monster, music, equalizer, interface] { engine.attach(node) }
            // A source with a place is one point: one channel.
            try engine.connect(monster, to: space, format: sounds.monster.format)
            try engine.connect(engine.inputNode, to: space)
            try engine.connect(space, to: engine.mainMixerNode)
            try engine.connect(music, to: equalizer, format: sounds.music.processingFormat)
            try engine.connect(equalizer, to: engine.mainMixerNode, format: sounds.music.processingFormat)
            try engine.connect(interface, to: engine.mainMixerNode, format: sounds.click.format)
        }
        monster.renderingAlgorithm = .HRTF
        (monster.sourceMode, monster.path) = (.pointSource, Self.aroundTheHead(rate: sounds.monster.format.sampleRate))
        engine.inputNode.renderingAlgorithm = .HRTF
        (engine.inputNode.sourceMode, engine.inputNode.position) = (.pointSource, Self.friend)
        let shelf = equalizer.bands[0]
        (shelf.filterType, shelf.frequency, shelf.gain, shelf.bypass) = (.highShelf, 4000, -6, false)
    }

    /// A circle of two metres, eight places a lap, for a minute.
    private static func aroundTheHead(rate: Double) -> AudioPath? {
        let points = (0...Int(60 / lap) * 8).map { index in
            let angle = Double(index) / 8 * 2 * .pi
            return AudioPath.Point(
                sampleTime: Int64(Double(index) / 8 * lap * rate),
                position: Audio3DPoint(x: Float(2 * sin(angle)), y: 0, z: Float(-2 * cos(angle))))
        }
        return AudioPath(points, shape: .spline)
    }

    /// Starts the engine, and lets the monster growl and the music play for ever; the interface clicks once a second.
    func start(_ sounds: Sounds, seconds: Int) throws {
        _ = try monster.scheduleBuffer(sounds.monster, options: .loops).get()
        music.scheduleFile(sounds.music)
        let rate = sounds.click.format.sampleRate
        for second in 0..<seconds {
            let time = AudioTime(sampleTime: Int64(Double(second) * rate), atRate: rate)
            _ = try interface.scheduleBuffer(sounds.click, at: time).get()
        }
        try engine.start()
        for player in [monster, music, interface] { player.play() }
    }
}

extension GamingSetup {
    /// The sounds of the game.
    struct Sounds {
        let music: AudioFile
        let monster, click: AudioPCMBuffer

        init(_ words: [String]) throws {
            music = try AudioFile(forReading: words[0])
            (monster, click) = (try AudioPCMBuffer(contentsOf: words[1]), try AudioPCMBuffer(contentsOf: words[2]))
        }
    }

    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count == 3 || words.count == 5 else {
            print(
                "usage: GamingSetup MUSIC MONSTER CLICK [VOICE OUTPUT]\n"
                    + "Without VOICE and OUTPUT your microphone is the friend, and all is played.")
            exit(2)
        }
        do {
            let sounds = try Sounds(words)
            if words.count == 3 {
                try await play(sounds)
            } else {
                try render(sounds, friend: try AudioPCMBuffer(contentsOf: words[3]), into: words[4])
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// Plays until the music has ended, for a minute at most.
    private static func play(_ sounds: Sounds) async throws {
        let game = GamingSetup()
        try game.connect(sounds)
        let seconds = min(60, Int(Double(sounds.music.length) / sounds.music.processingFormat.sampleRate))
        try game.start(sounds, seconds: seconds)
        try await Task.sleep(nanoseconds: UInt64(seconds) * 1_000_000_000)
        game.engine.stop()
    }

    /// Renders as long as the friend talks, from a file in place of the microphone.
    private static func render(_ sounds: Sounds, friend: AudioPCMBuffer, into output: String) throws {
        let game = GamingSetup()
        let engine = game.engine
        let rate = friend.format.sampleRate
        let file = try OfflineFile(output, of: engine, sampleRate: rate)
        engine.inputNode.take(friend, of: engine)
        try game.connect(sounds)
        try game.start(sounds, seconds: friend.frameLength / Int(rate))
        try file.render(friend.frameLength)
        try file.finish()
    }
}
