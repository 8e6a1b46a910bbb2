// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Adds an echo to a voice from the microphone over a backing track, and prints the sung notes. Main thread.

import AudioGraph
import Glibc
import PipeWireIO
import Synchronization

/// A voice over a backing track.
struct Karaoke {
    let engine = AudioEngine()
    private let player = AudioPlayerNode()
    private let echo = AudioUnitDelay()

    /// Connects the microphone through the echo, and the track beside it.
    func connect(_ track: AudioFile) throws {
        (echo.delayTime, echo.feedback, echo.wetDryMix) = (0.12, 25, 25)
        try engine.edit {
            engine.attach(player)
            engine.attach(echo)
            try engine.connect(engine.inputNode, to: echo)
            try engine.connect(echo, to: engine.mainMixerNode)
            try engine.connect(player, to: engine.mainMixerNode, format: track.processingFormat)
        }
        player.volume = 0.7
        player.scheduleFile(track)
    }

    /// Prints the name of each new note of the voice.
    ///
    /// Returns the tap, which must be removed at the end.
    func printNotes() throws -> AudioTap {
        let last = Mutex<String?>(nil)
        return try engine.inputNode.installTap(onBus: 0, bufferSize: 2048) { buffer, time in
            let finder = PitchFinder(sampleRate: buffer.format.sampleRate)
            let pitch = finder.pitch(of: buffer.samples[0], frameCount: buffer.frameLength)
            let note = pitch.map(noteName)
            let isNew = last.withLock { last in
                defer { last = note }
                return last != note
            }
            guard isNew, let note, let start = time.sampleTime else { return }
            print("\((Double(start) / time.sampleRate * 10).rounded() / 10) s: \(note)")
        }
    }

    func start() throws {
        try engine.start()
        player.play()
    }
}

extension Karaoke {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count == 1 || words.count == 3 else {
            print("usage: Karaoke TRACK [VOICE OUTPUT]\nWithout VOICE and OUTPUT it listens to the microphone, and plays.")
            exit(2)
        }
        do {
            let track = try AudioFile(forReading: words[0])
            if words.count == 1 {
                try await sing(over: track)
            } else {
                try await render(try AudioPCMBuffer(contentsOf: words[1]), over: track, into: words[2])
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// Sings along with the microphone until the track has ended.
    static func sing(over track: AudioFile) async throws {
        let karaoke = Karaoke()
        try karaoke.connect(track)
        let tap = try karaoke.printNotes()
        try karaoke.start()
        try await Task.sleep(nanoseconds: UInt64(Double(track.length) / track.processingFormat.sampleRate * 1e9))
        tap.remove()
        await tap.finished()
        karaoke.engine.stop()
    }

    /// Renders the track with a voice from a file in place of the microphone.
    static func render(_ voice: AudioPCMBuffer, over track: AudioFile, into output: String) async throws {
        let karaoke = Karaoke()
        let engine = karaoke.engine
        let rate = voice.format.sampleRate
        let file = try OfflineFile(output, of: engine, sampleRate: rate)
        engine.inputNode.take(voice, of: engine)
        try karaoke.connect(track)
        let tap = try karaoke.printNotes()
        try karaoke.start()
        try file.render(Int(Double(track.length) / track.processingFormat.sampleRate * rate))
        tap.remove()
        await tap.finished()
        try file.finish()
    }
}
