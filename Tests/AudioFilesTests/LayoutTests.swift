// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the channels of a file stand for stays with them, in every format that can say it.

import AudioFiles
import AudioFormats
import Foundation
import TestSupport
import Testing

@Suite struct LayoutTests {
    private static let fiveOneSide = ChannelLayout([.frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight])!
    private static let fourZero = ChannelLayout([.frontLeft, .frontRight, .frontCenter, .backCenter])!

    /// Writes a file whose channels hold different values, and reads it.
    private func stored(_ layout: ChannelLayout?, _ count: Int, _ name: String) throws -> (AudioFileFormat, [Float], Bool) {
        let folder = ScratchFolder()
        let writer = try AudioFileWriter(path: folder.file(name), sampleRate: 48_000, channelCount: count, layout: layout)
        let audio = LoadedAudio(channelCount: count, frameCount: 4800, sampleRate: 48_000)!
        for channel in 0..<count {
            for frame in 0..<4800 {
                audio[channel][frame] = Float(sin(2 * .pi * 300 * Double(frame) / 48_000)) * Float(channel + 1) / 10
            }
        }
        try writer.write(audio)
        try writer.finish()
        let reader = try AudioFileReader(path: folder.file(name))
        let read = try LoadedAudio.load(folder.file(name))
        let peaks = withExtendedLifetime(read) { (0..<count).map { read[$0][2400..<4000].reduce(0) { max($0, abs($1)) } } }
        return (reader.format, peaks, writer.keepsLayout)
    }

    @Test(arguments: [fiveOneSide, fourZero, .usual(8)!, .usual(6)!, .usual(5)!, .usual(2)!])
    func waveFilesKeepEveryLayout(layout: ChannelLayout) throws {
        let (format, peaks, isKept) = try stored(layout, layout.channelCount, "a.wav")
        #expect(format.channelLayout == layout && isKept)
        for (channel, peak) in peaks.enumerated() { #expect(abs(peak - Float(channel + 1) / 10) < 0.001) }
    }

    /// Seven speakers of a WAV file with the usual mask: not the mask of seven bits that lie side by side.
    @Test func eightChannelsWithoutALayoutHaveTheMaskOfSevenOne() throws {
        let (format, _, isKept) = try stored(nil, 8, "a.wav")
        #expect(format.channelLayout?.mask == 0x63F && isKept)
    }

    /// Vorbis and Opus have an order of their own, in the file alone.
    ///
    /// Their channels are 0.1 apart, and lossy.
    @Test(arguments: ["a.ogg", "a.opus", "a.flac"], [3, 5, 6, 8]) func channelsKeepTheirPlacesInFormatsOfAnotherOrder(
        name: String, count: Int
    ) throws {
        let (format, peaks, isKept) = try stored(.usual(count), count, name)
        #expect(
            isKept && (format.channelLayout == nil || format.channelLayout == .usual(count)),
            "\(String(describing: format.channelLayout))")
        // Opus and Vorbis keep little of a channel for low frequencies.
        for (channel, peak) in peaks.enumerated() where !(count > 5 && channel == 3) {
            #expect(abs(peak - Float(channel + 1) / 10) < 0.03, "channel \(channel): \(peak)")
        }
    }

    @Test func aFormatThatCannotSayItIsNoticed() throws {
        #expect(try !stored(Self.fiveOneSide, 6, "a.flac").2)
        #expect(try !stored(Self.fiveOneSide, 6, "a.ogg").2)
        #expect(try stored(.usual(6), 6, "a.flac").2)
    }

    /// The tag of the format and the channel mask in the header of a WAV file.
    private func mask(_ bytes: Data) throws -> UInt32 {
        let format = try #require(bytes.firstRange(of: Data("fmt ".utf8))).upperBound + 4
        #expect(bytes[format] == 0xFE && bytes[format + 1] == 0xFF)
        return (0..<4).reduce(0) { $0 | UInt32(bytes[format + 20 + $1]) << UInt32(8 * $1) }
    }

    @Test(arguments: 1...8, ["a.wav", "a.rf64"]) func channelsOfNoSpeakerHaveTheMask0(count: Int, name: String) throws {
        let folder = ScratchFolder()
        let audio = try #require(LoadedAudio(channelCount: count, frameCount: 480, sampleRate: 48_000))
        for channel in 0..<count { audio[channel].update(repeating: Float(channel + 1) / 16) }
        for (layout, expected) in [(ChannelLayout.discrete(count), 0), (nil, ChannelLayout.usual(count)?.mask)] {
            let writer = try AudioFileWriter(path: folder.file(name), sampleRate: 48_000, channelCount: count, layout: layout)
            try writer.write(audio)
            try writer.finish()
            #expect(try writer.keepsLayout && mask(Data(contentsOf: URL(filePath: folder.file(name)))) == expected)
            #expect(try AudioFileReader(path: folder.file(name)).format.channelLayout == (layout ?? .usual(count)))
            let read = try LoadedAudio.load(folder.file(name))
            for channel in 0..<count { #expect(read[channel][100] == Float(channel + 1) / 16) }
        }
        let flac = try AudioFileWriter(
            path: folder.file("a.flac"), sampleRate: 48_000, channelCount: count, layout: .discrete(count))
        #expect(flac.keepsLayout == (count <= 2))
    }

    @Test func layoutsMeetSpeakerBySpeaker() throws {
        let gains = Self.fiveOneSide.gains(to: .usual(6)!)
        #expect(gains.map(\.destination) == [0, 1, 2, 3, 4, 5] && gains.allSatisfy { $0.gain == 1 && $0.source == $0.destination })
        let down = ChannelLayout.usual(8)!.gains(to: Self.fiveOneSide)
        #expect(down.map(\.destination) == [0, 1, 2, 3, 4, 5, 4, 5])
        let centre = Self.fourZero.gains(to: .usual(4)!).filter { $0.source == 2 }
        #expect(centre.map(\.destination) == [0, 1] && centre.allSatisfy { abs($0.gain - 0.7071) < 0.001 })
        #expect(
            ChannelLayout(mask: 0x60F) == Self.fiveOneSide && ChannelLayout(mask: 1 << 30) == nil && ChannelLayout(mask: 0) == nil)
    }
}
