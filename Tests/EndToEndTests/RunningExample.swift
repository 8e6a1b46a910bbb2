// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs a built example, and measures what it has made. Test thread.

import AudioFiles
import AudioFormats
import Foundation
import TestSupport

extension Workbench {
    /// Runs an example in the bench's folder, with a file of it as standard input; what it prints.
    func runExample(_ example: String, _ words: [String], input: String? = nil) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        let isApple = ["AmbienceBed", "CommandLinePlayer", "OfflineBounce", "VoiceRecorder"].contains(example)
        process.executableURL = URL(fileURLWithPath: "\(Build.folder)/\(isApple ? "AppleExamples" : "Examples")")
        process.arguments = [example] + words
        process.environment = environment
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardOutput = pipe
        process.standardInput =
            try input.map { try FileHandle(forReadingFrom: URL(fileURLWithPath: path($0))) } ?? FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    /// Writes a sound whose channels belong to speakers.
    func writeSound(_ name: String, _ channels: [[Float]], layout: ChannelLayout) throws {
        let frameCount = channels.map(\.count).min() ?? 0
        let copies = channels.map { samples in
            let copy = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
            for frame in 0..<frameCount { (copy + frame).initialize(to: samples[frame]) }
            return copy
        }
        defer { for copy in copies { copy.deallocate() } }
        let writer = try AudioFileWriter(path: path(name), sampleRate: 48_000, channelCount: channels.count, layout: layout)
        try copies.withUnsafeBufferPointer { try writer.write($0.baseAddress!, frameCount: frameCount) }
        try writer.finish()
    }

    /// Writes a sound of one channel or of several equal ones.
    func writeSound(_ name: String, channels: Int = 1, rate: Double = 48_000, _ samples: [Float]) throws {
        let writer = try AudioFileWriter(path: path(name), sampleRate: rate, channelCount: channels)
        var samples = samples
        try samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            let pointers = [UnsafeMutablePointer<Float>](repeating: base, count: channels)
            try pointers.withUnsafeBufferPointer { try writer.write($0.baseAddress!, frameCount: buffer.count) }
        }
        try writer.finish()
    }
}

extension Collection<Float> {
    /// The amplitude of a frequency in hertz, under a Hann window.
    func amplitude(of frequency: Double, rate: Double = 48_000) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in enumerated() {
            let weighted = Double(sample) * (1 - cos(2 * .pi * Double(frame) / Double(count)))
            real += weighted * cos(2 * .pi * frequency * Double(frame) / rate)
            imaginary += weighted * sin(2 * .pi * frequency * Double(frame) / rate)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(count)
    }

    /// The root of the mean square.
    var level: Double { (reduce(0) { $0 + Double($1) * Double($1) } / Double(Swift.max(1, count))).squareRoot() }
}
