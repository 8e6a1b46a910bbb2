// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays balls in a room: each is a player that appears, collides and goes while the engine plays. Main thread.

import AudioGraph
import Glibc
import PipeWireIO

/// A listener in a room of balls.
final class BallGame {
    let engine = AudioEngine()
    private let environment = AudioEnvironmentNode()
    private var room = BallRoom()
    private var players: [Int: AudioPlayerNode] = [:]
    private let knock: AudioPCMBuffer
    /// The balls that have appeared, and the collisions.
    private(set) var (ballCount, hitCount) = (0, 0)

    /// The length of a step of the physics in seconds.
    static let step = 0.01

    init(knock: AudioPCMBuffer) { self.knock = knock }

    /// Begins with an empty room.
    func begin() throws {
        engine.attach(environment)
        try engine.connect(environment, to: engine.mainMixerNode, format: AudioFormat(sampleRate: 48_000, channelCount: 2))
        try engine.start()
    }

    /// Lets a step of time pass for the balls, and makes it heard.
    func advance() throws {
        // All changes of a step are heard in one cycle.
        try engine.edit {
            for event in room.step(Float(Self.step)) { try play(event) }
        }
        for ball in room.balls { players[ball.number]?.position = ball.point }
    }

    private func play(_ event: BallEvent) throws {
        switch event {
        case .appeared(let ball):
            let player = AudioPlayerNode()
            engine.attach(player)
            player.position = ball.point
            // The ears of a rigid sphere: it needs no file.
            player.renderingAlgorithm = .sphericalHead
            try engine.connect(player, to: environment, format: knock.format)
            player.play()
            players[ball.number] = player
            ballCount += 1
        case .hit(let ball, let speed):
            guard let player = players[ball.number] else { return }
            player.position = ball.point
            player.volume = min(1, speed / 6)
            player.scheduleBuffer(knock, options: .interrupts)
            hitCount += 1
        case .gone(let ball):
            guard let player = players.removeValue(forKey: ball.number) else { return }
            engine.detach(player)
        }
    }
}

extension BallGame {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count == 1 || words.count == 2, let seconds = Double(words[0]), (0...3600).contains(seconds) else {
            print("usage: BallGame SECONDS [OUTPUT]\nWithout OUTPUT it plays.")
            exit(2)
        }
        do {
            try await run(seconds: seconds, words.count > 1 ? words[1] : nil)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// The knock of a ball: 1.2 kHz, which fade within 60 ms.
    static func knock() -> AudioPCMBuffer? {
        let format = AudioFormat(sampleRate: 48_000, channelCount: 1)
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: 4800) else { return nil }
        buffer.frameLength = 4800
        for frame in 0..<4800 {
            let time = Double(frame) / 48_000
            buffer.samples[0][frame] = Float(0.5 * exp(-time / 0.01) * sin(2 * .pi * 1200 * time))
        }
        return buffer
    }

    /// Plays for a number of seconds, or renders them into a file.
    static func run(seconds: Double, _ output: String?) async throws {
        guard let knock = knock() else { return }
        let game = BallGame(knock: knock)
        let stepCount = Int(seconds / step)
        if let output {
            try game.render(stepCount, into: output)
        } else {
            try game.begin()
            for _ in 0..<stepCount {
                try game.advance()
                try await Task.sleep(nanoseconds: UInt64(step * 1e9))
            }
            game.engine.stop()
        }
        print("\(game.ballCount) balls made \(game.hitCount) knocks.")
    }

    private func render(_ stepCount: Int, into output: String) throws {
        let file = try OfflineFile(output, of: engine)
        try begin()
        for _ in 0..<stepCount {
            try advance()
            try file.render(480)
        }
        try file.finish()
    }
}
