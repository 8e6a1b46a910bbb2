// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The averaged spectrum of a sound, and its spectrogram. Main thread.

import DSP
import Glibc
import Realtime

/// Powers by frequency: averaged over all of a sound, and over each column of a picture.
///
/// Powers are relative to a sine of full scale, and averaged over the channels. The windows are Hann windows, and overlap by
/// half or more.
final class Spectra {
    /// The number of frames of a window.
    let size: Int
    /// The mean powers of the whole sound, from 0 Hz to half the sample rate.
    var average: [Double] { total.map { windowCount > 0 ? $0 / Double(windowCount) : 0 } }

    private let transform: FourierTransform
    private let window: [Float]
    private let columnCount: Int
    private let channelCount: Int
    private let hop: Int
    private let expectedFrameCount: Int
    /// The newest frames, channel by channel, and their number.
    private let pending: UnsafeMutablePointer<Float>
    private var pendingCount: Int
    /// The frame in the middle of the next window.
    private var centre = 0
    private var total: [Double]
    private var windowCount = 0
    private var columns: [Float]
    private var counts: [Int]
    private var binCount: Int { size / 2 + 1 }

    init(channelCount: Int, frameCount: Int, columnCount: Int) {
        let exponent = [12, 11, 10, 9].first { frameCount >= 16 << $0 } ?? 8
        size = 1 << exponent
        transform = FourierTransform(exponent: exponent)
        window = (0..<size).map { [size] in Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(size))) }
        (self.channelCount, self.columnCount) = (channelCount, columnCount)
        expectedFrameCount = max(1, frameCount)
        hop = min(size / 2, max(16, frameCount / max(1, columnCount)))
        pending = .allocate(capacity: channelCount * size)
        pending.initialize(repeating: 0, count: channelCount * size)
        // The middle of the first window is the first frame.
        pendingCount = size / 2
        total = Array(repeating: 0, count: size / 2 + 1)
        columns = Array(repeating: 0, count: columnCount * (size / 2 + 1))
        counts = Array(repeating: 0, count: columnCount)
    }

    deinit { pending.deallocate() }

    /// Takes a block, all of whose samples are finite.
    func take(_ block: AudioBlock) {
        var done = 0
        while done < block.frameCount {
            let step = min(block.frameCount - done, size - pendingCount)
            for channel in 0..<channelCount {
                (pending + channel * size + pendingCount).update(from: block[channel] + done, count: step)
            }
            advance(step)
            done += step
        }
    }

    /// Takes silence after the end, for the last windows.
    func finish() {
        var left = size / 2
        while left > 0 {
            let step = min(left, size - pendingCount)
            for channel in 0..<channelCount { (pending + channel * size + pendingCount).update(repeating: 0, count: step) }
            advance(step)
            left -= step
        }
    }

    private func advance(_ step: Int) {
        pendingCount += step
        guard pendingCount == size else { return }
        if centre < expectedFrameCount { analyse() }
        for channel in 0..<channelCount {
            (pending + channel * size).update(from: pending + channel * size + hop, count: size - hop)
        }
        pendingCount -= hop
        centre += hop
    }

    private func analyse() {
        let column = min(columnCount - 1, centre * columnCount / expectedFrameCount)
        // A sine of full scale has a power of 1.
        let scale = pow(Float(size) / 4, -2) / Float(channelCount)
        for channel in stride(from: 0, to: channelCount, by: 2) {
            let hasSecond = channel + 1 < channelCount
            let (first, second) = (pending + channel * size, pending + (hasSecond ? channel + 1 : channel) * size)
            for index in 0..<size {
                transform.real[index] = first[index] * window[index]
                transform.imaginary[index] = hasSecond ? second[index] * window[index] : 0
            }
            transform.run()
            for bin in 0..<binCount { add(power(ofBin: bin) * scale, toBin: bin, column) }
        }
        if isWhole { windowCount += 1 }
        if column >= 0 { counts[column] += 1 }
    }

    /// The sum of the powers of two signals: one is the real part of the samples, the other the imaginary part.
    private func power(ofBin bin: Int) -> Float {
        let mirror = bin == 0 ? 0 : size - bin
        let (real, imaginary) = (transform.real, transform.imaginary)
        let sum = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
        return (sum + real[mirror] * real[mirror] + imaginary[mirror] * imaginary[mirror]) / 2
    }

    /// True if the window contains no silence from before the start or after the end, which would distort the average.
    private var isWhole: Bool {
        expectedFrameCount < size || (centre >= size / 2 && centre + size / 2 <= expectedFrameCount)
    }

    private func add(_ power: Float, toBin bin: Int, _ column: Int) {
        if isWhole { total[bin] += Double(power) }
        if column >= 0 { columns[column * binCount + bin] += power }
    }

    /// The mean powers of a column; if no window has its middle there, those of the nearest column.
    func powers(ofColumn column: Int) -> [Float] {
        let known = (0..<columnCount).lazy.filter { self.counts[$0] > 0 }.min { abs($0 - column) < abs($1 - column) }
        guard let known else { return Array(repeating: 0, count: binCount) }
        return columns[known * binCount..<(known + 1) * binCount].map { $0 / Float(counts[known]) }
    }
}
