// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sound file that is played over the keyboard as an instrument. Control thread.

import CFluidSynth
import CSndFile
import PluginSDK

/// The samples of a sound file, as 32-bit integers.
struct Recording {
    private let samples: [Int32]
    private let channelCount: Int32
    private let sampleRate: Int32
    /// The pitch and the loop.
    private let tone: CFluidSynth_Tone

    private static let mostFrames = 1 << 24

    /// Reads a file of one or two channels; throws `UnitError.failed` with the reason.
    init(_ path: String) throws(UnitError) {
        var format = SF_INFO()
        guard let file = sf_open(path, Int32(SFM_READ), &format) else {
            throw .failed("\"\(path)\" is neither a sound bank (.sf2, .sf3) nor a sound file")
        }
        defer { sf_close(file) }
        guard (1...2).contains(format.channels), (1...Int64(Self.mostFrames)).contains(format.frames), format.samplerate > 0 else {
            throw .failed(
                "\"\(path)\" has \(format.channels) channels and \(format.frames) frames; an instrument takes 1 or 2, and up to \(Self.mostFrames)"
            )
        }
        (channelCount, sampleRate) = (format.channels, format.samplerate)
        var sound = [Float](repeating: 0, count: Int(format.frames) * Int(channelCount))
        let frameCount = Int(sf_readf_float(file, &sound, format.frames))
        guard frameCount > 0 else { throw .failed("\"\(path)\" cannot be read: its contents are damaged") }
        sound.removeLast(sound.count - frameCount * Int(channelCount))
        let facts = RecordingFacts(of: file, frameCount: frameCount)
        let loop = facts.unrolled(&sound, channelCount: Int(channelCount), atMost: Self.mostFrames)
        tone = CFluidSynth_Tone(
            rootKey: facts.rootKey, cents: facts.cents, loopStart: UInt32(loop.lowerBound), loopEnd: UInt32(loop.upperBound))
        // Samples above full scale are clipped, and NaN becomes silence.
        samples = sound.map { sample in
            let bounded: Float = sample.isNaN ? 0 : max(-1, min(1, sample))
            return Int32(clamping: Int64(Double(bounded) * 0x8000_0000))
        }
    }

    /// Makes a bank whose every program is the recording.
    func makeBank() throws(UnitError) -> OpaquePointer {
        let frameCount = UInt32(samples.count / Int(channelCount))
        guard let bank = CFluidSynth_makeRecordingBank(samples, channelCount, frameCount, UInt32(sampleRate), tone) else {
            throw .failed("FluidSynth has no memory left")
        }
        return bank
    }
}
