// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Programs as they are written for Apple's systems, in both language modes. Test thread.

import AVFoundation
import AudioFiles
import TestSupport
import Testing

@Suite struct ProgramTests {
    /// Runs one of `Tests/ApplePrograms5` and returns what it printed.
    private func run(_ mode: Int, _ arguments: String..., environment: [String: String] = [:]) throws -> String {
        let process = Process()
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.executableURL = URL(fileURLWithPath: "\(Build.folder)/ApplePrograms\(mode)")
        process.arguments = arguments
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw TestFailure("\(arguments) ended with \(process.terminationStatus): \(text)")
        }
        return text
    }

    /// A second of a tone at 48 kHz in a file of 16-bit integers.
    private func writeTone(to path: String) throws {
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000)!
        buffer.frameLength = buffer.frameCapacity
        for channel in 0..<Int(format.channelCount) {
            for frame in 0..<Int(buffer.frameLength) {
                buffer.floatChannelData![channel][frame] = Float(0.5 * sin(2 * Double.pi * 440 * Double(frame) / 48_000))
            }
        }
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: 16,
        ]
        let file = try AVAudioFile(forWriting: URL(fileURLWithPath: path), settings: settings)
        try file.write(from: buffer)
        try file.close()
    }

    @Test(arguments: [5, 6])
    func rendersAFileThroughAReverb(mode: Int) throws {
        let folder = ScratchFolder()
        try writeTone(to: folder.file("in.wav"))
        #expect(
            try run(mode, "render-offline", folder.file("in.wav"), folder.file("out.wav")) == "48000 frames, 2 channels, 1.0 s\n")
        let wet = try AVAudioPCMBuffer(contentsOf: folder.file("out.wav"))
        #expect(wet.frameLength == 48_000)
        let late = (24_000..<48_000).map { wet.floatChannelData![0][$0] }
        #expect((late.max() ?? 0) > 0.05 && (late.max() ?? 2) < 1.5)
        // Settings were those of the file that was read, so 16 bits here as well.
        #expect(
            try AVAudioFile(forReading: URL(fileURLWithPath: folder.file("out.wav"))).fileFormat.commonFormat == .pcmFormatInt16)
    }

    @Test(arguments: [5, 6])
    func convertsRateAndSampleFormat(mode: Int) throws {
        // 10,000 of 32,768 as the peak of a sine is −13.3 dB in the mean.
        #expect(try run(mode, "convert") == "converted 4800 frames, -13.3 dB\n")
    }

    @Test(arguments: [5, 6])
    func rendersASourceNodeOfBufferLists(mode: Int) throws {
        let folder = ScratchFolder()
        #expect(try run(mode, "siren", folder.file("siren.wav")) == "48000 frames of 16 bits\n")
        let siren = try AVAudioPCMBuffer(contentsOf: folder.file("siren.wav"))
        let peaks = (0..<2).map { channel in (0..<48_000).map { abs(siren.floatChannelData![channel][$0]) }.max() ?? 0 }
        // Half of a quarter, and panned to the left.
        #expect(peaks[0] > 1.3 * peaks[1] && peaks[0] < 0.2 && peaks[1] > 0.03, "\(peaks)")
    }

    @Test(arguments: [5, 6])
    func rendersASourceThatMovesAroundTheListener(mode: Int) throws {
        let folder = ScratchFolder()
        let printed = try run(mode, "moving-source", folder.file("moving.wav"))
        #expect(printed == "48000 frames, algorithm 6\n")
        let moving = try AVAudioPCMBuffer(contentsOf: folder.file("moving.wav"))
        func peak(_ channel: Int, _ frames: Range<Int>) -> Float {
            frames.map { abs(moving.floatChannelData![channel][$0]) }.max() ?? 0
        }
        // A head hears the near side louder, and a source in front alike at both ears.
        let (left, middle, right) = (100..<580, 23_800..<24_200, 47_520..<48_000)
        #expect(peak(0, left) > 1.5 * peak(1, left) && peak(1, left) > 0.005)
        #expect(abs(peak(0, middle) / peak(1, middle) - 1) < 0.3 && peak(0, middle) > 0.02)
        #expect(peak(1, right) > 1.5 * peak(0, right) && peak(0, right) > 0.005)
    }

    @Test(arguments: [5, 6])
    func turnsAHeadWithTheSmallModules(mode: Int) throws {
        let folder = ScratchFolder()
        let poses = folder.write("turn.txt", Array("0 0 0 0\n0.03 90 0 0\n".utf8))
        let lines = try run(mode, "head-turn", environment: ["BULKHEAD_HEAD_POSES": poses]).split(separator: "\n")
        // The line of the log has its time first.
        #expect(lines.first?.hasSuffix(" notice [com.example.programs:head] available: true") == true)
        #expect(
            lines.dropFirst() == [
                "will change", "moves to 2.0", "will change", "moves to 2.0", "looks to 100 0 0", "12 corners, 60 indices",
            ])
        let still = try run(mode, "head-turn").split(separator: "\n")
        #expect(still.contains { $0.hasPrefix("No head tracker is here. Set BULKHEAD_HEAD_POSES") })
        #expect(still.contains("looks to 0 0 -100") && still.first?.hasSuffix("available: false") == true)
    }

    @Test func anUnknownProgramFails() {
        #expect(throws: TestFailure.self) { try run(5, "no-such-program") }
    }
}
