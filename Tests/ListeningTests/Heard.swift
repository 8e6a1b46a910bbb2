// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Signals by formula, as a listener hears them. Test thread.

import AudioFiles
import AudioFormats
import Glibc
import Realtime

@testable import Listening

/// Hears so many seconds of a signal, in blocks of odd lengths.
func heard(
    seconds: Double = 3, channels: Int = 2, rate: Double = 48_000, layout: ChannelLayout? = nil, columns: Int = 100,
    hasSpectra: Bool = false, _ signal: (_ frame: Int, _ channel: Int) -> Double
) throws -> HeardSound {
    let frameCount = Int(seconds * rate)
    let format = AudioFileFormat(sampleRate: rate, channelCount: channels, frameCount: frameCount, channelLayout: layout)
    let listener = try Listener(format, columnCount: columns, hasSpectra: hasSpectra)
    let buffer = AudioBuffer(channelCount: channels, frameCapacity: 1021)
    var start = 0
    while start < frameCount {
        let block = buffer.block(frameCount: min(1021, frameCount - start))
        for channel in 0..<channels {
            for frame in 0..<block.frameCount { block[channel][frame] = Float(signal(start + frame, channel)) }
        }
        listener.take(block)
        start += block.frameCount
    }
    return listener.finish()
}

/// A sine of so many hertz at 48 kHz.
func sine(_ hertz: Double, _ frame: Int, decibels: Double) -> Double {
    pow(10, decibels / 20) * sin(2 * .pi * hertz * Double(frame) / 48_000)
}

/// White noise between -1 and 1, the same at each run.
struct Noise {
    private var state: UInt64 = 7

    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(Int64(bitPattern: state) >> 11) / Double(1 << 52)
    }
}
