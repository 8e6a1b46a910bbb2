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
    private let frameCount: Int
    private let sampleRate: Int32
    /// The key at the recorded pitch: the file's own, or otherwise middle C.
    private let rootKey: Int32

    private static let middleC: Int32 = 60
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
        (channelCount, sampleRate, rootKey) = (format.channels, format.samplerate, Self.rootKey(of: file))
        var sound = [Float](repeating: 0, count: Int(format.frames) * Int(channelCount))
        frameCount = Int(sf_readf_float(file, &sound, format.frames))
        // Samples above full scale are clipped, and NaN becomes silence.
        samples = sound.map { sample in
            let bounded: Float = sample.isNaN ? 0 : max(-1, min(1, sample))
            return Int32(clamping: Int64(Double(bounded) * 0x8000_0000))
        }
        guard frameCount > 0 else { throw .failed("\"\(path)\" cannot be read: its contents are damaged") }
    }

    private static func rootKey(of file: OpaquePointer) -> Int32 {
        var instrument = SF_INSTRUMENT()
        let hasOne = sf_command(file, Int32(SFC_GET_INSTRUMENT), &instrument, Int32(MemoryLayout<SF_INSTRUMENT>.size)) != 0
        let key = Int32(instrument.basenote)
        return hasOne && (1...127).contains(key) ? key : middleC
    }

    /// Makes a bank whose every program is the recording.
    func makeBank() throws(UnitError) -> OpaquePointer {
        guard
            let bank = CFluidSynth_makeRecordingBank(
                samples, channelCount, UInt32(frameCount), UInt32(sampleRate), rootKey)
        else { throw .failed("FluidSynth has no memory left") }
        return bank
    }
}
