// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Measures of a recording, and a source of a tone. Test thread, and the render thread.

import AVFoundation

/// The first channel of a recording, from the first to the last audible sample.
struct Sound {
    private let samples: ArraySlice<Float>
    private let rate: Double

    init(_ buffer: AVAudioPCMBuffer) {
        let all = buffer.floatChannelData.map { Array(UnsafeBufferPointer(start: $0[0], count: Int(buffer.frameLength))) } ?? []
        let first = all.firstIndex { abs($0) > 0.01 } ?? 0
        samples = all[first..<((all.lastIndex { abs($0) > 0.01 } ?? first - 1) + 1)]
        rate = buffer.format.sampleRate
    }

    /// The seconds between the first and the last audible sample.
    var duration: Double { Double(samples.count) / rate }

    var peak: Float { samples.reduce(0) { max($0, abs($1)) } }

    /// The peaks of its parts of so many seconds.
    func peaks(_ seconds: Double) -> [Float] {
        stride(from: 0, to: samples.count, by: Int(seconds * rate)).map { start in
            samples.dropFirst(start).prefix(Int(seconds * rate)).reduce(0) { max($0, abs($1)) }
        }
    }

    /// What lies 0.05 s from both ends.
    private var middle: ArraySlice<Float> { samples.dropFirst(Int(rate / 20)).dropLast(Int(rate / 20)) }

    /// The amplitude of a frequency in hertz, by its correlation with a sine and a cosine.
    func amplitude(of frequency: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in middle.enumerated() {
            let phase = 2 * Double.pi * frequency * Double(frame) / rate
            real += Double(sample) * cos(phase)
            imaginary += Double(sample) * sin(phase)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(max(1, middle.count))
    }

    /// The largest step between neighbours.
    var largestStep: Float { zip(middle, middle.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) } }
}

enum Sine {
    /// A source of a tone at 48 kHz.
    static func node(frequency: Double, amplitude: Float) -> AVAudioSourceNode {
        AVAudioSourceNode { _, timeStamp, frameCount, list -> OSStatus in
            let start = timeStamp.pointee.mSampleTime
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
                for frame in 0..<Int(frameCount) {
                    samples[frame] = amplitude * Float(sin(2 * Double.pi * frequency * (start + Double(frame)) / 48_000))
                }
            }
            return noErr
        }
    }
}
