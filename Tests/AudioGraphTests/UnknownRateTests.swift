// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What programs do before the device has told its rate. Test thread.

import AudioGraph
import Foundation
import HostingTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct UnknownRateTests {
    private let driver = ChangingDriver(rate: 0)
    private let engine: AudioEngine
    private let player = AudioPlayerNode()

    init() throws {
        engine = AudioEngine(driver: driver)
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
    }

    /// A second of 441 Hz at 48 kHz.
    private func tone() throws -> AudioPCMBuffer {
        try Sounds.buffer(48_000, channelCount: 2) { _, frame in Float(0.5 * sin(2 * .pi * 441 * Double(frame) / 48_000)) }
    }

    /// The upward passes through zero of half a second of the device.
    private func cycles(atRate rate: Double) throws -> Int {
        driver.change(to: rate)
        try engine.start()
        player.play()
        let heard = driver.render(Int(rate))[Int(rate / 4)..<Int(rate * 3 / 4)]
        engine.stop()
        return zip(heard, heard.dropFirst()).count { $0 < 0 && $1 >= 0 }
    }

    @Test(arguments: [44_100.0, 48_000, 96_000])
    func aBufferKeepsItsPitch(rate: Double) throws {
        try player.scheduleBuffer(tone()).get()
        let count = try cycles(atRate: rate)
        #expect((219...222).contains(count), "\(count)")
    }

    @Test(arguments: [44_100.0, 48_000, 96_000])
    func aFileKeepsItsPitch(rate: Double) throws {
        let folder = ScratchFolder()
        let file = try AudioFile(forWriting: folder.file("a.wav"), format: tone().format)
        try file.write(from: tone())
        try file.close()
        try player.scheduleFile(AudioFile(forReading: folder.file("a.wav"))).get()
        let count = try cycles(atRate: rate)
        #expect((219...222).contains(count), "\(count)")
    }

    @Test func anInputOfAnotherRateThanTheEnginesIsRefused() throws {
        let engine = try AudioEngine.offline()
        let format = AudioFormat(sampleRate: 24_000, channelCount: 1)
        #expect(!engine.inputNode.setManualRenderingInputPCMFormat(format) { _ in true })
        #expect(throws: AudioEngineError.self) { try engine.start() }
        #expect(engine.inputNode.setManualRenderingInputPCMFormat(format.at48kHz) { _ in true })
        try engine.start()
    }
}

extension AudioFormat {
    fileprivate var at48kHz: AudioFormat { AudioFormat(sampleRate: 48_000, channelCount: channelCount) }
}
