// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A synthesizer whose blocks start at the frame of its first note. Render thread.

import CFluidSynth
import PluginSDK

/// A synthesizer, and the frames that it has rendered ahead.
///
/// FluidSynth renders blocks of 64 frames, and events take effect at the start of a block. A block is rendered when its first
/// frame is needed, so a note at that frame is exact.
struct PhasedSynthesizer: ~Copyable {
    private let owner: Synthesizer
    let pointer: OpaquePointer
    private let samples: UnsafeMutablePointer<Float>
    /// The frames of the block that have been returned.
    private var position: Int
    /// True if notes sound.
    private(set) var isActive = false
    /// The pitches of its notes.
    var pitches = NotePitches()
    /// The channels, as bits, with programs that this synthesizer does not have yet.
    var staleChannels: UInt16 = 0xFFFF

    static var blockFrameCount: Int { @_noLocks get { 64 } }

    /// The frames until the next event takes effect; 0 for at once.
    var framesToBoundary: Int { @_noLocks get { Self.blockFrameCount &- position } }
    var voiceCount: Int32 { @_noLocks get { CFluidSynth_voiceCount(pointer) } }

    init(_ synthesizer: consuming Synthesizer) {
        pointer = synthesizer.pointer
        owner = synthesizer
        samples = .allocate(capacity: 2 * Self.blockFrameCount)
        samples.initialize(repeating: 0, count: 2 * Self.blockFrameCount)
        position = Self.blockFrameCount
    }

    deinit { samples.deallocate() }

    /// Starts rendering; if nothing sounds, a block starts at the present frame.
    @_noLocks mutating func activate() { isActive = true }

    /// Adds the next frames to a block; does nothing once all voices are silent.
    @_noLocks mutating func add(to output: AudioBlock) {
        var frame = 0
        while frame < output.frameCount, isActive {
            if position == Self.blockFrameCount, !renderBlock() { return }
            let count = min(Self.blockFrameCount &- position, output.frameCount &- frame)
            for channel in 0..<2 {
                let (from, to) = (samples + channel &* Self.blockFrameCount + position, output[channel] + frame)
                for index in 0..<count { to[index] += from[index] }
            }
            position &+= count
            frame &+= count
        }
    }

    /// Ends all sound.
    @_noLocks mutating func reset() {
        pitches.removeAll()
        guard isActive else { return }
        CFluidSynth_endSound(pointer)
        // Voices become free once a block has been rendered.
        CFluidSynth_render(pointer, samples, samples + Self.blockFrameCount, Int32(Self.blockFrameCount))
        position = Self.blockFrameCount
        isActive = false
    }

    @_noLocks private mutating func renderBlock() -> Bool {
        guard voiceCount > 0 else {
            isActive = false
            return false
        }
        CFluidSynth_render(pointer, samples, samples + Self.blockFrameCount, Int32(Self.blockFrameCount))
        pitches.advance(pointer)
        position = 0
        return true
    }
}
