// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a file through a delay and a reverb into another file, including their tails. Main thread.

import AVFoundation

/// Renders a file through two effects.
enum OfflineBounce {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) {
        guard words.count == 2, let input = words.first, let output = words.last else {
            print("usage: OfflineBounce INPUT OUTPUT")
            exit(2)
        }
        do {
            try bounce(try AVAudioFile(forReading: URL(fileURLWithPath: input)), to: URL(fileURLWithPath: output))
        } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }

    /// The longest tail of the effects, in seconds.
    static let tail = 3.0

    static func bounce(_ source: AVAudioFile, to url: URL) throws {
        let engine = AVAudioEngine()
        let player = AVAudioPlayerNode()
        let delay = AVAudioUnitDelay()
        delay.delayTime = 0.25
        delay.feedback = 30
        delay.wetDryMix = 30
        let reverb = AVAudioUnitReverb()
        reverb.loadFactoryPreset(.largeHall)
        reverb.wetDryMix = 35

        let format = source.processingFormat
        for node in [player, delay, reverb] { engine.attach(node) }
        engine.connect(player, to: delay, format: format)
        engine.connect(delay, to: reverb, format: format)
        engine.connect(reverb, to: engine.mainMixerNode, format: format)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        player.scheduleFile(source, at: nil)
        try engine.start()
        player.play()

        let output = try AVAudioFile(forWriting: url, settings: source.fileFormat.settings)
        guard
            let buffer = AVAudioPCMBuffer(
                pcmFormat: engine.manualRenderingFormat, frameCapacity: engine.manualRenderingMaximumFrameCount)
        else { return }
        let end = source.length + AVAudioFramePosition(tail * format.sampleRate)
        while engine.manualRenderingSampleTime < end {
            let count = min(AVAudioFrameCount(end - engine.manualRenderingSampleTime), buffer.frameCapacity)
            switch try engine.renderOffline(count, to: buffer) {
            case .success: try output.write(from: buffer)
            case .insufficientDataFromInputNode: fatalError("The engine has no input.")
            case .cannotDoInCurrentContext: continue
            case .error: fatalError("The engine cannot render.")
            @unknown default: fatalError("The engine cannot render.")
            }
        }
        player.stop()
        engine.stop()
        print("Rendered \(output.length) frames into \(url.lastPathComponent).")
    }
}
