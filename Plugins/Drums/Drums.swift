// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Drums: a kit of synthesised drums on the keys of General MIDI, in a room. Render thread.

import DSP
import PluginSDK

// Declared here, where the compiler can check the generic code that calls it.
extension DrumVoice: Voice {}

/// A drum kit.
struct Drums: Kernel, ~Copyable {
    private var voices: Voices<DrumVoice>
    private var room: DrumRoom
    private var (volume, roomLevel) = (SmoothedValue(1), SmoothedValue(0))
    private let glide: Int
    private let chokeFrameCount: Int
    /// The notes without a drum that the host does not know yet.
    private var unplayedNoteCount: UInt32 = 0

    private static var voiceCount: Int { 32 }
    /// The gain of a stroke at full velocity, so that a whole kit stays below full scale.
    private static var headroom: Float { @_noLocks get { 0.5 } }

    init(_ setup: RenderSetup) {
        voices = Voices(setup, count: Self.voiceCount, patch: DrumPatch())
        room = DrumRoom(decay: 0.42, sampleRate: setup.sampleRate)
        glide = setup.frameCount(seconds: 0.02)
        chokeFrameCount = setup.frameCount(seconds: 0.012)
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        let frames = change.rampFrameCount > 0 ? Int(change.rampFrameCount) : glide
        switch change.address {
        case Self.volumeAddress: volume.ramp(to: Maths.gain(fromDecibels: Float(change.value)), over: frames)
        case Self.roomAddress: roomLevel.ramp(to: Float(change.value) / 100, over: frames)
        default: voices.patch.set(change.address, to: change.value, over: frames)
        }
    }

    /// Takes notes of the kit on any channel; the keys of a choke group end each other.
    @_noLocks mutating func handle(_ message: MIDIMessage) {
        if message[0] & 0xF0 == 0x90, message[2] > 0 {
            let key = Int(message[1])
            guard KitKey(key).isPlayed else {
                unplayedNoteCount &+= 1
                return
            }
            choke(KitKey.chokeGroup(key))
        }
        voices.handle(message)
    }

    @_noLocks private mutating func choke(_ group: ClosedRange<Int>?) {
        guard let group else { return }
        for key in group.lowerBound..<group.upperBound + 1 where KitKey.chokeGroup(key) != nil {
            voices.fade(key: key, over: chokeFrameCount)
        }
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        block.countUnplayed(notes: unplayedNoteCount)
        unplayedNoteCount = 0
        let output = block.output
        output.silence()
        guard output.channelCount > 0 else { return }
        voices.render(output)
        voices.patch.advance(by: output.frameCount)
        let (left, right) = (output[0], output[output.channelCount - 1])
        for frame in 0..<output.frameCount {
            let wet = room.process(Double(left[frame]), Double(right[frame]))
            let (level, factor) = (roomLevel.next(), volume.next() * Self.headroom)
            let (leftSample, rightSample) = (left[frame], right[frame])
            right[frame] = (rightSample + Float(wet.right) * level) * factor
            left[frame] = (leftSample + Float(wet.left) * level) * factor
        }
    }

    @_noLocks mutating func reset() {
        voices.reset()
        voices.patch.reset()
        room.reset()
        volume.jump(to: volume.target)
        roomLevel.jump(to: roomLevel.target)
    }

    /// For ever, because the next stroke may come at any time.
    var tailFrameCount: Int { @_noLocks get { .max } }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Drums.exported }
