// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a file through a reverb into another file. The main thread.

import AVFoundation

final class OfflineRenderer {
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()
    private let reverb = AVAudioUnitReverb()
    private var peak: Float = 0

    func render(from source: String, to destination: String) throws {
        let sourceFile = try AVAudioFile(forReading: URL(fileURLWithPath: source))
        let format = sourceFile.processingFormat
        engine.attach(player)
        engine.attach(reverb)
        reverb.loadFactoryPreset(.mediumHall)
        reverb.wetDryMix = 50
        engine.connect(player, to: reverb, format: format)
        engine.connect(reverb, to: engine.mainMixerNode, format: format)
        player.scheduleFile(sourceFile, at: nil)

        let maxFrames: AVAudioFrameCount = 4096
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: maxFrames)
        engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1024, format: nil) { [weak self] buffer, when in
            guard let self, let data = buffer.floatChannelData?[0], when.isSampleTimeValid else { return }
            for frame in 0..<Int(buffer.frameLength) { self.peak = max(self.peak, abs(data[frame])) }
        }
        try engine.start()
        player.play()

        let buffer = AVAudioPCMBuffer(
            pcmFormat: engine.manualRenderingFormat, frameCapacity: engine.manualRenderingMaximumFrameCount)!
        let outputFile = try AVAudioFile(
            forWriting: URL(fileURLWithPath: destination), settings: sourceFile.fileFormat.settings)
        while engine.manualRenderingSampleTime < sourceFile.length {
            let frameCount = sourceFile.length - engine.manualRenderingSampleTime
            let framesToRender = min(AVAudioFrameCount(frameCount), buffer.frameCapacity)
            let status = try engine.renderOffline(framesToRender, to: buffer)
            switch status {
            case .success: try outputFile.write(from: buffer)
            case .insufficientDataFromInputNode, .cannotDoInCurrentContext: break
            case .error: fatalError("The manual rendering failed.")
            @unknown default: fatalError("The manual rendering failed.")
            }
        }
        player.stop()
        engine.stop()
        print("\(outputFile.length) frames, \(format.channelCount) channels, \(Double(outputFile.length) / format.sampleRate) s")
    }
}
