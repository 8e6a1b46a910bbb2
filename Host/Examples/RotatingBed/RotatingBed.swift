// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays four sounds around a listener who turns: an ambience bed, which stays where it is. Main thread.

import AudioGraph
import Glibc
import PipeWireIO

/// A listener who turns among four loudspeakers that are not there.
final class RotatingBed {
    let engine = AudioEngine()
    private let environment = AudioEnvironmentNode()
    private let player = AudioPlayerNode()
    private let bed: AudioPCMBuffer

    init(_ bed: AudioPCMBuffer) { self.bed = bed }

    /// Begins to play the bed.
    func begin() throws {
        engine.attach(environment)
        engine.attach(player)
        try engine.connect(player, to: environment, format: bed.format)
        try engine.connect(environment, to: engine.mainMixerNode, format: AudioFormat(sampleRate: 48_000, channelCount: 2))
        // Each channel stays at the place of its loudspeaker. The bed has no distance.
        player.sourceMode = .ambienceBed
        player.scheduleBuffer(bed, options: .loops)
        try engine.start()
        player.play()
    }

    /// Turns the listener to the right, by degrees from the front.
    func turn(to degrees: Float) {
        environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: degrees, pitch: 0, roll: 0)
    }
}

extension RotatingBed {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count == 1 || words.count == 2, let seconds = Double(words[0]), (0.1...3600).contains(seconds) else {
            print("usage: RotatingBed SECONDS [OUTPUT]\nSECONDS are those of a turn. Without OUTPUT it plays.")
            exit(2)
        }
        do {
            try await run(seconds: seconds, words.count > 1 ? words[1] : nil)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// A tone of its own for each loudspeaker: front left and right, back left and right.
    static func bed() -> AudioPCMBuffer? {
        let format = AudioFormat(sampleRate: 48_000, channelCount: 4)
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000) else { return nil }
        buffer.frameLength = 48_000
        for (channel, hertz) in [300.0, 400, 500, 600].enumerated() {
            for frame in 0..<48_000 { buffer.samples[channel][frame] = Float(0.2 * sin(2 * .pi * hertz * Double(frame) / 48_000)) }
        }
        return buffer
    }

    /// Plays a turn to the right, or renders it into a file.
    static func run(seconds: Double, _ output: String?) async throws {
        guard let sound = bed() else { return }
        let bed = RotatingBed(sound)
        // A hundred moves a second: what lies between them glides.
        let count = Int(seconds * 100)
        func degrees(_ step: Int) -> Float { 360 * Float(step) / Float(count) }
        guard let output else {
            try bed.begin()
            for step in 0..<count {
                bed.turn(to: degrees(step))
                try await Task.sleep(nanoseconds: 10_000_000)
            }
            return bed.engine.stop()
        }
        let file = try OfflineFile(output, of: bed.engine)
        try bed.begin()
        for step in 0..<count {
            bed.turn(to: degrees(step))
            try file.render(480)
        }
        try file.finish()
    }
}
