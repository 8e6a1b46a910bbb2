// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A siren from a source node, written with Core Audio's lists of buffers. The main thread, and the render thread.

import AVFoundation

final class Siren {
    private let engine = AVAudioEngine()
    private var phase: Float = 0
    private var time: Float = 0
    private lazy var source = AVAudioSourceNode { [unowned self] _, timeStamp, frameCount, audioBufferList -> OSStatus in
        let buffers = UnsafeMutableAudioBufferListPointer(audioBufferList)
        for frame in 0..<Int(frameCount) {
            let frequency = 600 + 200 * sin(2 * .pi * 2 * self.time)
            let sample = sin(self.phase) * 0.25
            self.phase += 2 * .pi * frequency / 48_000
            if self.phase > 2 * .pi { self.phase -= 2 * .pi }
            self.time += 1 / 48_000
            for buffer in buffers {
                let samples: UnsafeMutableBufferPointer<Float> = UnsafeMutableBufferPointer(buffer)
                samples[frame] = sample
            }
        }
        return noErr
    }

    func render(to path: String) throws {
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: format)
        engine.mainMixerNode.outputVolume = 0.5
        source.pan = -0.5
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
        try engine.start()
        let file = try AVAudioFile(
            forWriting: URL(fileURLWithPath: path),
            settings: [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: format.sampleRate, AVNumberOfChannelsKey: 2,
                AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
            ])
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512) else { return }
        while file.length < 48_000 {
            if try engine.renderOffline(480, to: buffer) == .success { try file.write(from: buffer) }
        }
        engine.stop()
        print("\(file.length) frames of \(file.fileFormat.settings[AVLinearPCMBitDepthKey] ?? 0) bits")
    }
}
