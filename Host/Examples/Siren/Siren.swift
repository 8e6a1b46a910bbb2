// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a siren of three buffers: it swells up, repeats until it is released, and fades after the present turn. Main thread.

import AudioGraph
import Glibc
import PipeWireIO

/// A siren that sounds until it is released.
final class Siren {
    let engine = AudioEngine()
    private let player = AudioPlayerNode()
    private let sound: SirenSound

    init(_ sound: SirenSound) { self.sound = sound }

    /// Begins: plays the attack, and repeats the loop.
    func begin() throws {
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode, format: sound.loop.format)
        player.scheduleBuffer(sound.attack, completionCallbackType: .dataPlayedBack) { _ in print("It is up.") }
        player.scheduleBuffer(sound.loop, options: .loops)
        try engine.start()
        player.play()
    }

    /// Releases the siren: the release begins at the end of the loop.
    ///
    /// Returns the frames until silence.
    func letGo() -> Int {
        player.scheduleBuffer(sound.release, options: .interruptsAtLoop, completionCallbackType: .dataPlayedBack) { _ in
            print("It is down.")
        }
        let played = Int(player.playerTime.sampleTime ?? 0) - sound.attack.frameLength
        let past = played < 0 ? played : played % sound.loop.frameLength
        return (past == 0 ? 0 : sound.loop.frameLength - past) + sound.release.frameLength
    }
}

extension Siren {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count == 1 || words.count == 2, let seconds = Double(words[0]), (0...3600).contains(seconds) else {
            print("usage: Siren SECONDS [OUTPUT]\nWithout OUTPUT it plays.")
            exit(2)
        }
        do {
            try await run(seconds: seconds, words.count > 1 ? words[1] : nil)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// Sounds for a number of seconds and the release, or renders them into a file.
    static func run(seconds: Double, _ output: String?) async throws {
        let stereo = AudioFormat(sampleRate: 48_000, channelCount: 2)
        guard let sound = SirenSound(format: stereo) else { return }
        let siren = Siren(sound)
        guard let output else {
            try siren.begin()
            try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
            let rest = siren.letGo()
            try await Task.sleep(nanoseconds: UInt64((Double(rest) / stereo.sampleRate + 0.2) * 1e9))
            return siren.engine.stop()
        }
        let file = try OfflineFile(output, of: siren.engine)
        try siren.begin()
        try file.render(Int(seconds * stereo.sampleRate))
        try file.render(siren.letGo())
        try file.finish()
    }
}
