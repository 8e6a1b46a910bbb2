// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Conversion of buffers: sample formats, channels, rates, and the end of a stream. Test thread.

import AudioGraph
import Glibc
import HostingTestSupport
import Testing

@Suite struct ConverterTests {
    private static func format(
        _ kind: AudioCommonFormat, rate: Double = 48_000, _ channels: Int = 2, interleaved: Bool = false
    ) throws -> AudioFormat {
        try #require(AudioFormat(commonFormat: kind, sampleRate: rate, channels: channels, interleaved: interleaved))
    }

    private static func buffer(_ format: AudioFormat, _ frameCount: Int) throws -> AudioPCMBuffer {
        try #require(AudioPCMBuffer(pcmFormat: format, frameCapacity: frameCount))
    }

    @Test func everySampleFormatBecomesEveryOther() throws {
        let source = try Sounds.buffer(500) { channel, frame in sin(Float(frame) * 0.1 + Float(channel)) * 0.9 }
        for kind in [AudioCommonFormat.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32] {
            for isInterleaved in [false, true] {
                let middle = try Self.buffer(Self.format(kind, interleaved: isInterleaved), 500)
                try #require(AudioConverter(from: source.format, to: middle.format)).convert(to: middle, from: source)
                #expect(middle.frameLength == 500 && middle.stride == (isInterleaved ? 2 : 1))
                #expect((middle.floatChannelData != nil) == (kind == .pcmFormatFloat32))
                let back = try Self.buffer(source.format, 500)
                try #require(AudioConverter(from: middle.format, to: back.format)).convert(to: back, from: middle)
                let least: Float = kind == .pcmFormatInt16 ? 1 / 65_536 : 0
                for channel in 0..<2 {
                    for frame in 0..<500 {
                        #expect(abs(back.samples[channel][frame] - source.samples[channel][frame]) <= least + 1e-7)
                    }
                }
            }
        }
    }

    @Test func integersAreLimitedAndNaNIsNothing() throws {
        let source = try Sounds.buffer(5, channelCount: 1) { _, frame in [1, -1, 3, -.infinity, .nan][frame] }
        let whole = try Self.buffer(Self.format(.pcmFormatInt16, 1), 5)
        try #require(AudioConverter(from: source.format, to: whole.format)).convert(to: whole, from: source)
        let data = try #require(whole.int16ChannelData)
        #expect((0..<5).map { data[0][$0] } == [32_767, -32_768, 32_767, -32_768, 0])
    }

    @Test func channelsAreMappedAsConnectionsDoOrAsTheProgramSays() throws {
        let source = try Sounds.buffer(4) { channel, frame in Float(frame + 1) * (channel == 0 ? 1 : 10) }
        let mono = try Self.buffer(Sounds.format(1), 4)
        let converter = try #require(AudioConverter(from: source.format, to: mono.format))
        try converter.convert(to: mono, from: source)
        #expect(mono.samples[0][3] == 22)
        let swapped = try Self.buffer(source.format, 4)
        let swap = try #require(AudioConverter(from: source.format, to: source.format))
        swap.channelMap = [1, -1]
        try swap.convert(to: swapped, from: source)
        #expect(swapped.samples[0][1] == 20 && swapped.samples[1][1] == 0)
    }

    /// A stream is converted in buffers of random sizes; its length and its samples are those of one conversion.
    @Test(arguments: [(44_100.0, 48_000.0), (48_000, 44_100), (96_000, 8000), (48_000, 48_000)])
    func aStreamIsTheSameInBuffersOfAnySize(from: Double, to: Double) throws {
        let length = 20_001
        let source = try Self.buffer(Self.format(.pcmFormatFloat32, rate: from, 1), length)
        source.frameLength = length
        for frame in 0..<length { source.samples[0][frame] = sin(Float(frame) * 0.05) }
        let wanted = Int((Double(length) * to / from).rounded())
        let converter = try #require(AudioConverter(from: source.format, to: Self.format(.pcmFormatFloat32, rate: to, 1)))
        let whole = try Self.buffer(converter.outputFormat, wanted)
        try converter.convert(to: whole, from: source)
        #expect(whole.frameLength == wanted)
        converter.reset()
        var (position, heard, isEnded) = (0, [Float](), false)
        let piece = try Self.buffer(source.format, 1500)
        while !isEnded {
            let output = try Self.buffer(converter.outputFormat, Int.random(in: 1...3000))
            var hasGiven = false
            let status = try converter.convert(to: output) { count, status in
                #expect(count > 0)
                guard position < length else {
                    status.pointee = .endOfStream
                    return nil
                }
                guard !hasGiven || Bool.random() else {
                    status.pointee = .noDataNow
                    return nil
                }
                hasGiven = true
                piece.frameLength = min(Int.random(in: 1...1500), length - position)
                piece.samples[0].update(from: source.samples[0] + position, count: piece.frameLength)
                position += piece.frameLength
                status.pointee = .haveData
                return piece
            }
            heard += UnsafeBufferPointer(start: output.samples[0], count: output.frameLength)
            if status == .haveData { #expect(output.frameLength == output.frameCapacity) }
            isEnded = status == .endOfStream
        }
        #expect(heard == Array(UnsafeBufferPointer(start: whole.samples[0], count: wanted)))
    }

    @Test func wrongFormatsAreRefused() throws {
        let stereo = Sounds.format()
        #expect(AudioConverter(from: stereo, to: AudioFormat(sampleRate: 10, channelCount: 2)) == nil)
        #expect(AudioConverter(from: AudioFormat(sampleRate: 0, channelCount: 2), to: stereo) == nil)
        #expect(AudioFormat(commonFormat: .otherFormat, sampleRate: 48_000, channels: 2, interleaved: false) == nil)
        #expect(AudioFormat(standardFormatWithSampleRate: 48_000, channels: 0) == nil)
        let converter = try #require(AudioConverter(from: stereo, to: Sounds.format(1)))
        let (mono, ramp, wrong, short) = (
            try Sounds.ramp(10, channelCount: 1), try Sounds.ramp(100), try Sounds.ramp(100), try Self.buffer(Sounds.format(1), 50)
        )
        #expect(throws: AudioEngineError.self) { try converter.convert(to: wrong, from: ramp) }
        #expect(throws: AudioEngineError.tooManyFrames(100, maximum: 50)) { try converter.convert(to: short, from: ramp) }
        #expect(throws: AudioEngineError.self) {
            try converter.convert(to: short) { _, status in
                status.pointee = .haveData
                return mono
            }
        }
    }

    @Test func buffersOfEverySampleFormatPlayAndAreRenderedInto() throws {
        let engine = try AudioEngine.offline()
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        let whole = try Self.buffer(Self.format(.pcmFormatInt16, interleaved: true), 100)
        whole.frameLength = 100
        for frame in 0..<200 { whole.int16ChannelData?[0][frame] = Int16(frame * 100) }
        player.scheduleBuffer(whole)
        try engine.start()
        player.play()
        let output = try Self.buffer(whole.format, 100)
        #expect(try engine.renderOffline(100, to: output) == .success)
        #expect((0..<200).allSatisfy { output.int16ChannelData?[0][$0] == Int16($0 * 100) })
    }
}
