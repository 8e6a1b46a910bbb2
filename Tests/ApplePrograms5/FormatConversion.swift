// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts a buffer of 16-bit integers at 16 kHz into floating point at 48 kHz, piece by piece. The main thread.

import AVFoundation

enum FormatConversion {
    static func run() throws {
        let inputFormat = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16000, channels: 1, interleaved: true)!
        let outputFormat = AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 48000, channels: 1, interleaved: false)!
        guard let converter = AVAudioConverter(from: inputFormat, to: outputFormat) else { return }
        converter.sampleRateConverterQuality = AVAudioQuality.max.rawValue
        let input = AVAudioPCMBuffer(pcmFormat: inputFormat, frameCapacity: 1600)!
        input.frameLength = input.frameCapacity
        for frame in 0..<Int(input.frameLength) {
            input.int16ChannelData![0][frame] = Int16(10_000 * sin(2 * Double.pi * 440 * Double(frame) / inputFormat.sampleRate))
        }
        let capacity = AVAudioFrameCount(Double(input.frameLength) * outputFormat.sampleRate / inputFormat.sampleRate)
        let output = AVAudioPCMBuffer(pcmFormat: outputFormat, frameCapacity: capacity)!
        var error: NSError?
        var isGiven = false
        let status = converter.convert(to: output, error: &error) { _, outStatus in
            if isGiven {
                outStatus.pointee = .endOfStream
                return nil
            }
            isGiven = true
            outStatus.pointee = .haveData
            return input
        }
        if let error { throw error }
        var sum: Float = 0
        if let channelData = output.floatChannelData {
            for frame in 0..<Int(output.frameLength) { sum += channelData[0][frame] * channelData[0][frame] }
        }
        let level = 20 * log10(sqrt(sum / Float(output.frameLength)))
        print("\(status == .error ? "failed" : "converted") \(output.frameLength) frames, \(String(format: "%.1f", level)) dB")
    }
}
