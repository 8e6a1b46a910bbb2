// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Spectra have their lines where the tones are, and pictures their sizes and colours. Any thread.

import DSP
import Drawing
import Foundation
import FoundationXML
import Testing

@testable import Listening

@Suite struct PictureTests {
    private func sweep() throws -> HeardSound {
        try heard(seconds: 2, columns: ListenPicture.columnCount, hasSpectra: true) { frame, channel in
            sine(channel == 0 ? 1000 : 5000, frame, decibels: -20) + (frame == 50_000 ? 0.5 : 0)
        }
    }

    private func size(_ png: [UInt8]) -> [Int] { [16, 20].map { png[$0..<($0 + 4)].reduce(0) { $0 << 8 | Int($1) } } }

    @Test func aTransformFindsCosinesAndSines() {
        let transform = FourierTransform(exponent: 6)
        for index in 0..<64 {
            transform.real[index] = Float(cos(2 * .pi * 5 * Double(index) / 64))
            transform.imaginary[index] = Float(sin(2 * .pi * 9 * Double(index) / 64))
        }
        transform.run()
        // cos 5 is 32 at 5 and at -5; i sin 9 is 32 at 9 and -32 at -9.
        for bin in 0..<64 {
            let expected: Float = bin == 5 || bin == 59 || bin == 9 ? 32 : bin == 55 ? -32 : 0
            #expect(abs(transform.real[bin] - expected) < 1e-4 && abs(transform.imaginary[bin]) < 1e-4, "\(bin)")
        }
    }

    @Test func aToneOfFullScaleHasZeroDecibels() throws {
        let spectra = try #require(
            try heard(seconds: 4, columns: 10, hasSpectra: true) { frame, _ in sine(3000, frame, decibels: 0) }.spectra)
        let bin = Int((3000 / (48_000 / Double(spectra.size))).rounded())
        let level = try #require(Decibels.of(power: spectra.average[bin]))
        #expect(abs(level) < 0.2, "\(level)")
        #expect(spectra.average.indices.max { spectra.average[$0] < spectra.average[$1] } == bin)
        #expect(try #require(Decibels.of(power: spectra.average[bin + 200])) < -90)
    }

    @Test func bothChannelsAreInTheSpectrumEachByHalf() throws {
        let spectra = try #require(try sweep().spectra)
        for hertz in [1000.0, 5000] {
            let bin = Int((hertz / (48_000 / Double(spectra.size))).rounded())
            let power = (bin - 2...bin + 2).reduce(0) { $0 + spectra.average[$1] }
            // The three bins of the window's peak hold 1.5 of the power.
            #expect(abs((Decibels.of(power: power / 1.5) ?? 0) + 23) < 0.6)
        }
    }

    @Test func thePictureHasItsSizeAndColours() throws {
        let sound = try sweep()
        let png = try ListenPicture(sound, title: "sweep", plots: SoundPlot.allCases).draw(as: .png)
        #expect(png.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // Waveforms of two channels, a spectrum, a spectrogram, loudness, three gaps, top and bottom.
        #expect(size(png) == [1200, 56 + 240 + 280 + 320 + 220 + 3 * 66 + 48])
        #expect(png.count > 20_000)
    }

    @Test(arguments: SoundPlot.allCases) func eachPartCanBeDrawnAlone(plot: SoundPlot) throws {
        let picture = ListenPicture(try sweep(), title: "sweep", plots: [plot])
        #expect(size(try picture.draw(as: .png))[0] == 1200)
        #expect(XMLParser(data: Data(try picture.draw(as: .svg))).parse())
    }

    @Test(arguments: [1, 100, 5000]) func soundsShorterThanAWindowAreDrawn(frames: Int) throws {
        let sound = try heard(
            seconds: Double(frames) / 48_000, channels: 1, columns: ListenPicture.columnCount, hasSpectra: true
        ) { frame, _ in sine(1000, frame, decibels: -6) }
        #expect(try ListenPicture(sound, title: "", plots: SoundPlot.allCases).draw(as: .png).count > 3000)
    }

    @Test func theColourOfALevelGetsBrighter() {
        let sums = stride(from: -120.0, through: 0, by: 5).map { level in
            let colour = SpectrogramPlot.colour(ofLevel: level)
            return (colour >> 16 & 255) * 2 + (colour >> 8 & 255) * 5 + (colour & 255)
        }
        #expect(sums == sums.sorted() && sums[0] < sums[24])
    }

    @Test func theWaveformHasTheExtremesOfItsColumns() throws {
        let sound = try heard(seconds: 1, columns: 10) { frame, channel in
            channel == 0 && (4800..<9600).contains(frame) ? (frame % 2 == 0 ? 0.5 : -0.25) : 0
        }
        let columns = sound.waveform.joined
        #expect(columns.count == 10 && columns[1].greatest == 0.5 && columns[1].least == -0.25)
        #expect([0, 2, 9].allSatisfy { columns[$0].greatest == 0 && columns[$0].level == 0 })
        #expect(columns.allSatisfy { $0.sampleCount == 9600 })
    }
}
