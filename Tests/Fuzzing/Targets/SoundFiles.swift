// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sound files and sound banks, from the first byte to the numbers that a user reads. The fuzzer's thread.

import AudioFiles
import Listening
import PluginSDK

@testable import Sampler

extension FuzzTarget {
    /// The command `listen`: a file in any format, measured with spectra.
    static let listen = FuzzTarget("listen", seeds: SoundFileSeeds.all) { bytes in
        guard let reader = try? AudioFileReader(path: FuzzedFile.path(holding: bytes)) else { return }
        guard let sound = try? HeardSound(reader, seconds: 0.5, columnCount: 40, hasSpectra: true) else { return }
        precondition(sound.facts.channels.count == reader.format.channelCount && !sound.facts.lines(encoding: nil).isEmpty)
        precondition(sound.facts.channels.allSatisfy { $0.truePeakDBTP?.isFinite != false }, "a number that JSON lacks")
        guard bytes.count % 16 == 0 else { return }
        precondition((try? ListenPicture(sound, title: "fuzzed", plots: SoundPlot.allCases).draw(as: .svg)) != nil)
    }

    /// What the sampler loads: a bank, or a sound file as a bank of one instrument.
    static let bank = FuzzTarget("bank", seeds: SoundFileSeeds.all + [SoundFileSeeds.bank]) { bytes in
        guard let bank = try? SoundBank(FuzzedFile.path(holding: bytes)) else { return }
        precondition(bank.presetNames.values.allSatisfy { $0.utf8.count < 256 })
    }
}

private enum SoundFileSeeds {
    /// Wave files of one, two, three and 24 channels, with samples of 16 bits and of floating point.
    static let all: [[UInt8]] = [
        wave(1, channels: 1, bits: 16), wave(1, channels: 2, bits: 16), wave(1, channels: 3, bits: 16),
        wave(1, channels: 24, bits: 16), wave(3, channels: 2, bits: 32),
    ]

    private static func wave(_ kind: Int, channels: Int, bits: Int) -> [UInt8] {
        let frame = channels * bits / 8
        let samples = (0..<frame * 32).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let format = word(kind) + word(channels) + long(48_000) + long(48_000 * frame) + word(frame) + word(bits)
        return chunk("RIFF", Array("WAVE".utf8) + chunk("fmt ", format) + chunk("data", samples))
    }

    /// The beginning of a bank.
    static let bank = chunk("RIFF", Array("sfbk".utf8) + chunk("LIST", Array("INFO".utf8) + chunk("ifil", word(2) + word(1))))

    private static func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        Array(name.utf8) + long(contents.count) + contents
    }
    private static func word(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8 & 255)] }
    private static func long(_ number: Int) -> [UInt8] { word(number & 0xFFFF) + word(number >> 16 & 0xFFFF) }
}
