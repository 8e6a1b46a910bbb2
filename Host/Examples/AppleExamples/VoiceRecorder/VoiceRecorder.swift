// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Records the microphone into a file, and shows its level. Main thread, and the thread of the tap.

import AVFoundation

final class VoiceRecorder {
    private let engine = AVAudioEngine()
    private let file: AVAudioFile

    init(path: String) throws {
        let format = engine.inputNode.outputFormat(forBus: 0)
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: format.sampleRate,
            AVNumberOfChannelsKey: format.channelCount, AVLinearPCMBitDepthKey: 24, AVLinearPCMIsFloatKey: false,
        ]
        file = try AVAudioFile(forWriting: URL(fileURLWithPath: path), settings: settings)
    }

    /// Records for a number of seconds.
    func record(seconds: Double) throws {
        let input = engine.inputNode
        input.installTap(onBus: 0, bufferSize: 4800, format: file.processingFormat) { [file] buffer, _ in
            do {
                try file.write(from: buffer)
            } catch {
                print(error.localizedDescription)
            }
            VoiceRecorder.show(buffer)
        }
        try engine.start()
        RunLoop.current.run(until: Date(timeIntervalSinceNow: seconds))
        input.removeTap(onBus: 0)
        engine.stop()
        print("\nRecorded \(file.length) frames.")
    }

    /// Shows the level of a buffer: a character for each 3 dB above −60 dB.
    private static func show(_ buffer: AVAudioPCMBuffer) {
        guard let samples = buffer.floatChannelData?[0] else { return }
        var sum: Float = 0
        for frame in 0..<Int(buffer.frameLength) { sum += samples[frame] * samples[frame] }
        let decibels = 10 * log10(max(1e-12, sum / Float(max(1, buffer.frameLength))))
        let bar = String(repeating: "#", count: Int(max(0, min(60, decibels + 60)) / 3))
        print("\r" + bar.padding(toLength: 20, withPad: ".", startingAt: 0), String(format: "%6.1f dB", decibels), terminator: "")
        fflush(nil)
    }
}

extension VoiceRecorder {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) {
        guard words.count == 2, let path = words.first, let seconds = words.last.flatMap({ Double($0) }) else {
            print("usage: VoiceRecorder OUTPUT SECONDS")
            exit(2)
        }
        do {
            try VoiceRecorder(path: path).record(seconds: seconds)
        } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }
}
