// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays the far end of a call, records the microphone without its echo, and prints the reduction of the echo. Main thread.

import AudioFiles
import AudioGraph
import Glibc
import PipeWireIO

/// A call: the far end is heard, and the near end is recorded.
final class Call {
    let engine = AudioEngine()
    private let player = AudioPlayerNode()
    private let farEnd: AudioPCMBuffer
    private let meter: EchoMeter

    init(farEnd: AudioPCMBuffer) { (self.farEnd, meter) = (farEnd, EchoMeter(farEnd: farEnd)) }

    /// Connects the far end to the loudspeaker; the microphone leads only into the file.
    func connect() throws {
        let input = engine.inputNode
        try input.setVoiceProcessingEnabled(true)
        // A gain control would be measured, too.
        input.isVoiceProcessingAGCEnabled = false
        input.isVoiceProcessingBypassed = true
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode, format: farEnd.format)
        player.scheduleBuffer(farEnd, options: .loops)
    }

    /// Records a whole call into a file; `wait` lets seconds pass.
    func record(to path: String, seconds: Double, wait: (Double) async throws -> Void) async throws {
        let input = engine.inputNode
        let recording = try input.record(onBus: 0, to: path)
        let tap = try input.installTap(onBus: 0, bufferSize: 4096) { [meter] in meter.take($0, at: $1) }
        try engine.start()
        player.play()
        try await wait(EchoMeter.without.upperBound)
        input.isVoiceProcessingBypassed = false
        try await wait(seconds - EchoMeter.without.upperBound)
        engine.stop()
        tap.remove()
        await tap.finished()
        try await recording.finish()
        print("Recorded \(recording.frameCount) frames into \(path).")
        print("The echo is lowered by \((meter.decibels * 10).rounded() / 10) dB.")
    }
}

/// Makes a call, and prints the reduction of its echo.
enum EchoTouch {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count == 2 || words.count == 3 else {
            print("usage: EchoTouch FAR-END [NEAR-END] RECORDING\nWithout NEAR-END it plays, and records the microphone.")
            exit(2)
        }
        do {
            let farEnd = try AudioPCMBuffer(contentsOf: words[0])
            if words.count == 2 {
                try await talk(farEnd, into: words[1])
            } else {
                let near = try AudioPCMBuffer(contentsOf: words[1])
                guard near.format.sampleRate == farEnd.format.sampleRate else {
                    print("\"\(words[0])\" and \"\(words[1])\" have different rates.")
                    exit(1)
                }
                try await render(farEnd, near, into: words[2])
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// The seconds before a person may speak.
    static let quietSeconds = 6.0
    /// The seconds for which a person may speak into a microphone.
    static let speakingSeconds = 5.0

    /// Makes a call through the sound card.
    static func talk(_ farEnd: AudioPCMBuffer, into path: String) async throws {
        let call = Call(farEnd: farEnd)
        try call.connect()
        print("Be quiet for \(Int(quietSeconds)) s, and then speak.")
        try await call.record(to: path, seconds: quietSeconds + speakingSeconds) { seconds in
            try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
        }
    }

    /// Makes a call in a simulated room, with a voice from a file.
    static func render(_ farEnd: AudioPCMBuffer, _ near: AudioPCMBuffer, into path: String) async throws {
        let call = Call(farEnd: farEnd)
        let engine = call.engine
        let rate = farEnd.format.sampleRate
        let stereo = AudioFormat(sampleRate: rate, channelCount: 2)
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 480)
        let room = Room(farEnd: farEnd, near: near, nearStart: Int(quietSeconds * rate))
        let mono = AudioFormat(sampleRate: rate, channelCount: 1)
        engine.inputNode.setManualRenderingInputPCMFormat(mono) { [unowned engine] input in
            room.hear(input, from: Int(engine.manualRenderingSampleTime))
            return true
        }
        try call.connect()
        guard let block = AudioPCMBuffer(pcmFormat: stereo, frameCapacity: 480) else { return }
        try await call.record(to: path, seconds: quietSeconds + Double(near.frameLength) / rate) { seconds in
            var left = Int(seconds * rate)
            while left > 0 {
                try engine.renderOffline(min(480, left), to: block)
                left -= block.frameLength
            }
        }
    }
}
