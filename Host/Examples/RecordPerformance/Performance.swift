// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Two players, a reverb that both share, and the steps of a performance. Main thread.

import AudioGraph

/// Two players that lead to the main mixer, and through a mixer of sends to a reverb.
final class Performance {
    let engine = AudioEngine()
    private let players = [AudioPlayerNode(), AudioPlayerNode()]
    private let sends = AudioMixerNode()
    private let reverb = AudioUnitReverb()

    /// Connects all nodes, and schedules the loops.
    func connect(_ loops: [AudioPCMBuffer]) throws {
        reverb.loadFactoryPreset(.largeHall)
        reverb.wetDryMix = 100
        try engine.edit {
            for node in players + [sends, reverb] { engine.attach(node) }
            for (bus, (player, loop)) in zip(players, loops).enumerated() {
                let points = [
                    AudioConnectionPoint(node: engine.mainMixerNode, bus: bus), AudioConnectionPoint(node: sends, bus: bus),
                ]
                try engine.connect(player, to: points, fromBus: 0, format: loop.format)
            }
            try engine.connect(sends, to: reverb)
            try engine.connect(reverb, to: engine.mainMixerNode)
        }
        for (player, loop) in zip(players, loops) { player.scheduleBuffer(loop, options: .loops) }
        for bus in 0..<2 { send(bus, 0.1) }
    }

    /// The level that a player sends to the reverb.
    private func send(_ bus: Int, _ volume: Float) { players[bus].destination(forMixer: sends, bus: bus)?.volume = volume }

    /// The steps of the performance, second by second: each step tells what it does.
    func steps() -> [(words: String, act: () throws -> Void)] {
        let (engine, players, sends, reverb) = (engine, players, sends, reverb)
        return [
            ("The first loop plays.", { players[0].play() }),
            (
                "The second one joins in, on the right.",
                {
                    (players[1].pan, players[1].volume) = (0.7, 0.8)
                    players[1].play()
                }
            ),
            ("The first one goes into the hall.", { self.send(0, 0.8) }),
            ("The hall becomes a cathedral.", { reverb.loadFactoryPreset(.cathedral) }),
            (
                "The second one is heard by way of the cathedral alone.",
                { try engine.connect(players[1], to: sends, fromBus: 0, toBus: 1) }
            ),
            ("Both stop, and the cathedral rings on.", { for player in players { player.pause() } }),
        ]
    }
}
