// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A voice that tells what it plays, and a player that sends it messages. Test thread.

import PluginSDK

/// Adds its key, its bend, its pressure and its timbre to four channels; after its release it sounds for some frames more.
struct ProbeVoice: Voice {
    private var (key, velocity): (Float, Float) = (0, 0)
    private var isHeld = false
    private var framesLeft = 0

    init(_ setup: RenderSetup) {}

    mutating func start(_ note: Note, _ releaseFrameCount: Int) {
        (key, velocity, isHeld, framesLeft) = (Float(note.key), note.velocity, true, releaseFrameCount)
    }

    mutating func release() { isHeld = false }

    mutating func render(_ output: AudioBlock, _ expression: NoteExpression, _ releaseFrameCount: Int) {
        for frame in 0..<output.frameCount {
            if !isHeld {
                guard framesLeft > 0 else { return }
                framesLeft -= 1
            }
            let values = [key, expression.bend, expression.pressure, expression.timbre]
            for channel in 0..<4 { output[channel][frame] += values[channel] }
        }
    }

    var isSilent: Bool { !isHeld && framesLeft == 0 }
    var level: Float { velocity }
}

/// Voices, and the memory that they render to.
final class ProbePlayer {
    private var voices: Voices<ProbeVoice>
    private let samples = UnsafeMutablePointer<Float>.allocate(capacity: 4 * ProbePlayer.mostFrames)
    private let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 4)

    private static let mostFrames = 1024

    init(voiceCount: Int = 8, releaseFrameCount: Int = 0) {
        let setup = RenderSetup(
            sampleRate: 48_000, maximumFrameCount: Self.mostFrames, inputs: [], outputs: [BusFormat(channelCount: 4)])
        voices = Voices(setup, count: voiceCount, patch: releaseFrameCount)
        for channel in 0..<4 { channels[channel] = samples + channel * Self.mostFrames }
    }

    deinit {
        samples.deallocate()
        channels.deallocate()
    }

    func send(_ status: UInt8, _ first: UInt8, _ second: UInt8) { voices.handle(MIDIMessage(status, first, second)) }
    func send(_ message: MIDIMessage) { voices.handle(message) }
    func setMono(_ isMono: Bool) { voices.setMono(isMono) }
    func reset() { voices.reset() }
    var soundingCount: Int { voices.soundingCount }

    /// Renders frames; one array a channel.
    func play(_ frameCount: Int = 1) -> [[Float]] {
        let block = AudioBlock(channels: channels, channelCount: 4, frameCount: frameCount)
        block.silence()
        voices.render(block)
        return (0..<4).map { Array(UnsafeBufferPointer(start: block[$0], count: frameCount)) }
    }

    /// The sum of the keys that sound at the next frame.
    var keys: Float { play()[0][0] }
    /// Bend, pressure and timbre at the next frame.
    var expression: [Float] { play()[1...].map { $0[0] } }
}
