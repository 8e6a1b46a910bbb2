// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a source that goes around the listener into a file. The main thread.

import AVFoundation

final class MovingSource {
    private let engine = AVAudioEngine()
    private let environment = AVAudioEnvironmentNode()
    private let player = AVAudioPlayerNode()

    func render(to destination: String) throws {
        let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)!
        let stereo = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
        engine.attach(environment)
        engine.attach(player)
        engine.connect(player, to: environment, format: mono)
        engine.connect(environment, to: engine.mainMixerNode, format: stereo)
        environment.listenerPosition = AVAudioMake3DPoint(0, 0, 0)
        environment.listenerAngularOrientation = AVAudioMake3DAngularOrientation(0, 0, 0)
        environment.distanceAttenuationParameters.distanceAttenuationModel = .inverse
        environment.distanceAttenuationParameters.referenceDistance = 2
        environment.distanceAttenuationParameters.rolloffFactor = 1
        player.renderingAlgorithm = .HRTFHQ
        player.sourceMode = .spatializeIfMono
        player.position = AVAudio3DPoint(x: -4, y: 0, z: 0)

        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 480)
        try engine.start()
        player.scheduleBuffer(tone(mono), at: nil, options: .loops)
        player.play()
        let buffer = AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 480)!
        let file = try AVAudioFile(forWriting: URL(fileURLWithPath: destination), settings: stereo.settings)
        for step in 0..<100 {
            // From the left along the front to the right.
            let angle = Float.pi * Float(step) / 99
            player.position = AVAudioMake3DPoint(-4 * cos(angle), 0, -4 * sin(angle))
            guard try engine.renderOffline(480, to: buffer) == .success else { fatalError("The manual rendering failed.") }
            try file.write(from: buffer)
        }
        player.stop()
        engine.stop()
        print("\(file.length) frames, algorithm \(player.renderingAlgorithm.rawValue)")
    }

    private func tone(_ format: AVAudioFormat) -> AVAudioPCMBuffer {
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4800)!
        buffer.frameLength = buffer.frameCapacity
        for frame in 0..<Int(buffer.frameLength) {
            buffer.floatChannelData![0][frame] = 0.5 * sin(2 * .pi * 500 * Float(frame) / 48_000)
        }
        return buffer
    }
}
