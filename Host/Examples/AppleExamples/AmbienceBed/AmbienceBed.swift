// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Surrounds a listener with the channels of a file, and puts a voice in front; the listener turns round once. Main thread.

import AVFAudio

/// A place of several channels, and somebody who speaks there.
final class AmbienceBed {
    private let engine = AVAudioEngine()
    private let environment = AVAudioEnvironmentNode()
    private let bed = AVAudioPlayerNode()
    private let voice = AVAudioPlayerNode()
    private let files: (bed: AVAudioFile, voice: AVAudioFile)

    init(bed bedFile: AVAudioFile, voice voiceFile: AVAudioFile) {
        files = (bedFile, voiceFile)
        let nodes: [AVAudioNode] = [environment, bed, voice]
        for node in nodes { engine.attach(node) }
        // The layout in the file says from where each channel comes.
        engine.connect(bed, to: environment, format: bedFile.processingFormat)
        engine.connect(voice, to: environment, format: voiceFile.processingFormat)
        engine.connect(environment, to: engine.mainMixerNode, format: stereo)
        // The bed turns with the head and knows no distance; the voice has a place.
        bed.sourceMode = .ambienceBed
        voice.sourceMode = .pointSource
        voice.position = AVAudio3DPoint(x: 0, y: 0, z: -2)
        // A program that renders to a file says what the file is for. In a playing engine, auto finds that out.
        environment.outputType = .headphones
        for player in [bed, voice] { player.renderingAlgorithm = .auto }
    }

    private var stereo: AVAudioFormat? {
        AVAudioFormat(standardFormatWithSampleRate: files.bed.processingFormat.sampleRate, channels: 2)
    }

    /// Turns the head to the right, by degrees from the front.
    private func turn(to degrees: Float) {
        environment.listenerAngularOrientation = AVAudio3DAngularOrientation(yaw: degrees, pitch: 0, roll: 0)
    }

    /// Renders the whole bed, in which the listener turns round once.
    func render(to url: URL) throws -> AVAudioFramePosition {
        guard let stereo, let buffer = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 480) else { return 0 }
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: buffer.frameCapacity)
        bed.scheduleFile(files.bed, at: nil)
        voice.scheduleFile(files.voice, at: nil)
        try engine.start()
        for player in [bed, voice] { player.play() }
        let output = try AVAudioFile(forWriting: url, settings: stereo.settings)
        while engine.manualRenderingSampleTime < files.bed.length {
            let done = engine.manualRenderingSampleTime
            turn(to: 360 * Float(done) / Float(files.bed.length))
            let count = min(AVAudioFrameCount(files.bed.length - done), buffer.frameCapacity)
            guard try engine.renderOffline(count, to: buffer) == .success else { break }
            try output.write(from: buffer)
        }
        engine.stop()
        return output.length
    }
}

extension AmbienceBed {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) {
        guard words.count == 3 else {
            print("usage: AmbienceBed BED VOICE OUTPUT\nBED has several channels, and VOICE has one.")
            exit(2)
        }
        do {
            let urls = words.map { URL(fileURLWithPath: $0) }
            let place = AmbienceBed(bed: try AVAudioFile(forReading: urls[0]), voice: try AVAudioFile(forReading: urls[1]))
            print("Rendered \(try place.render(to: urls[2])) frames into \(urls[2].lastPathComponent).")
        } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }
}
