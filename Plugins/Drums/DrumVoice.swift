// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One stroke on one drum of the kit. Render thread.

import DSP
import PluginSDK

/// A stroke from its first to its last frame; the release of its key changes nothing.
struct DrumVoice: ~Copyable {
    private let sampleRate: Double
    private var key = KitKey(0)
    private var note = Note(key: 0, velocity: 0)
    private var (frameCount, framesLeft) = (0, 0)
    /// The channel's volume and expression, which glide.
    private var expression = SmoothedValue(1)
    private var isFresh = true
    private let glide: Int
    /// Room for some samples of the drum.
    private let samples: UnsafeMutablePointer<Double>
    // One of each, since a voice plays any of them; the key decides which one is used.
    private var (kick, snare): (KickDrum, SnareDrum)
    private var (sideStick, clap): (SideStick, HandClap)
    private var (hat, tom): (HiHat, TomDrum)
    private var (cymbal, cowbell, jingles): (Cymbal, Cowbell, Jingles)
    private var (hand, wood, metal): (HandDrum, WoodBlock, MetalBar)
    private var (scrape, whistle, cuica): (Scrape, WhistleBlow, Cuica)

    private static var mostFrames: Int { @_noLocks get { 64 } }

    init(_ setup: RenderSetup) {
        sampleRate = setup.sampleRate
        glide = setup.frameCount(seconds: 0.02)
        samples = .allocate(capacity: Self.mostFrames)
        samples.initialize(repeating: 0, count: Self.mostFrames)
        let stroke = DrumStroke(velocity: 1, seed: 0, sampleRate: setup.sampleRate)
        (kick, snare) = (KickDrum(stroke), SnareDrum(stroke))
        (sideStick, clap) = (SideStick(stroke), HandClap(stroke))
        (hat, tom) = (HiHat(stroke), TomDrum(stroke))
        (cymbal, cowbell, jingles) = (Cymbal(stroke), Cowbell(stroke), Jingles(stroke))
        (hand, wood, metal) = (HandDrum(stroke), WoodBlock(stroke), MetalBar(stroke))
        (scrape, whistle, cuica) = (Scrape(stroke), WhistleBlow(stroke), Cuica(stroke))
    }

    deinit { samples.deallocate() }

    @_noLocks mutating func start(_ note: Note, _ patch: DrumPatch) {
        (self.note, key, isFresh) = (note, KitKey(note.key), true)
        let group = patch.group(key.group)
        let seed = UInt64(truncatingIfNeeded: note.number) << 8 | UInt64(truncatingIfNeeded: note.key)
        strike(
            DrumStroke(
                velocity: Double(note.velocity), pitch: group.pitch, decay: group.decay, seed: seed, sampleRate: sampleRate))
        framesLeft = frameCount
    }

    @_noLocks private mutating func strike(_ stroke: DrumStroke) {
        var tuned = stroke
        tuned.pitch *= key.detail
        switch key.drum {
        case .none: frameCount = 0
        case .kick: (kick, frameCount) = (KickDrum(tuned), KickDrum(tuned).frameCount)
        case .snare: (snare, frameCount) = (SnareDrum(tuned), SnareDrum(tuned).frameCount)
        case .sideStick: (sideStick, frameCount) = (SideStick(tuned), SideStick(tuned).frameCount)
        case .clap: (clap, frameCount) = (HandClap(tuned), HandClap(tuned).frameCount)
        case .cowbell: (cowbell, frameCount) = (Cowbell(tuned), Cowbell(tuned).frameCount)
        default: strikeOther(stroke)
        }
    }

    @_noLocks private mutating func strikeOther(_ stroke: DrumStroke) {
        // Another size of the same thing.
        var other = stroke
        (other.pitch, other.decay) = (stroke.pitch * key.pitch, stroke.decay * key.seconds)
        switch key.drum {
        case .hat:
            hat = HiHat(stroke, seconds: key.detail)
            frameCount = hat.frameCount
        case .tom:
            tom = TomDrum(stroke, frequency: key.detail)
            frameCount = tom.frameCount
        case .cymbal:
            cymbal = Cymbal(other, isRide: key.detail > 0)
            frameCount = cymbal.frameCount
        case .jingles:
            jingles = Jingles(other, isShaker: key.detail > 0)
            frameCount = jingles.frameCount
        default: strikePercussion(stroke)
        }
    }

    @_noLocks private mutating func strikePercussion(_ stroke: DrumStroke) {
        let (detail, seconds) = (key.detail, key.seconds)
        switch key.drum {
        case .hand: hand = HandDrum(stroke, frequency: detail, seconds: seconds)
        case .timbale: hand = HandDrum(stroke, frequency: detail, seconds: seconds, shell: 1)
        case .wood: wood = WoodBlock(stroke, frequency: detail, isBar: false)
        case .bar: wood = WoodBlock(stroke, frequency: detail, isBar: true)
        case .agogo: metal = MetalBar(stroke, .bell, frequency: detail, seconds: seconds)
        case .triangle: metal = MetalBar(stroke, .triangle, frequency: detail, seconds: seconds)
        case .dome: metal = MetalBar(stroke, .dome, frequency: detail, seconds: seconds)
        case .rattle: scrape = Scrape(stroke, seconds: seconds, rates: (42, 26), isRattle: true)
        case .guiro: scrape = Scrape(stroke, seconds: seconds, rates: (60 * detail, 135 * detail), isRattle: false)
        case .whistle: whistle = WhistleBlow(stroke, seconds: seconds)
        default: cuica = Cuica(stroke, from: detail, to: detail * (seconds > 0.2 ? 1.7 : 1.25), seconds: seconds)
        }
        frameCount = percussionFrameCount
    }

    private var percussionFrameCount: Int {
        @_noLocks get {
            switch key.drum {
            case .hand, .timbale: hand.frameCount
            case .wood, .bar: wood.frameCount
            case .agogo, .triangle, .dome: metal.frameCount
            case .rattle, .guiro: scrape.frameCount
            case .whistle: whistle.frameCount
            default: cuica.frameCount
            }
        }
    }

    /// A struck drum rings on.
    @_noLocks mutating func release() {}

    @_noLocks mutating func glide(to note: Note, _ patch: DrumPatch) { start(note, patch) }

    var isSilent: Bool { @_noLocks get { framesLeft == 0 } }
    var level: Float { @_noLocks get { note.velocity * Float(framesLeft) / Float(max(1, frameCount)) } }

    @_noLocks mutating func render(_ output: AudioBlock, _ expression: NoteExpression, _ patch: DrumPatch) {
        if isFresh { self.expression.jump(to: expression.gain) }
        if expression.gain != self.expression.target { self.expression.ramp(to: expression.gain, over: glide) }
        isFresh = false
        var group = patch.group(key.group)
        var frame = 0
        while frame < output.frameCount, framesLeft > 0 {
            let count = min(framesLeft, min(Self.mostFrames, output.frameCount - frame))
            play(count)
            add(count, to: output, at: frame, &group)
            framesLeft -= count
            frame += count
        }
    }

    /// Writes the next samples of the drum.
    @_noLocks private mutating func play(_ count: Int) {
        switch key.drum {
        case .none: break
        case .kick: for frame in 0..<count { samples[frame] = kick.next() }
        case .snare: for frame in 0..<count { samples[frame] = snare.next() }
        case .sideStick: for frame in 0..<count { samples[frame] = sideStick.next() }
        case .clap: for frame in 0..<count { samples[frame] = clap.next() }
        case .hat: for frame in 0..<count { samples[frame] = hat.next() }
        case .tom: for frame in 0..<count { samples[frame] = tom.next() }
        case .cymbal: for frame in 0..<count { samples[frame] = cymbal.next() }
        case .cowbell: for frame in 0..<count { samples[frame] = cowbell.next() }
        case .jingles: for frame in 0..<count { samples[frame] = jingles.next() }
        case .hand, .timbale: for frame in 0..<count { samples[frame] = hand.next() }
        case .wood, .bar: for frame in 0..<count { samples[frame] = wood.next() }
        case .agogo, .triangle, .dome: for frame in 0..<count { samples[frame] = metal.next() }
        case .rattle, .guiro: for frame in 0..<count { samples[frame] = scrape.next() }
        case .whistle: for frame in 0..<count { samples[frame] = whistle.next() }
        case .cuica: for frame in 0..<count { samples[frame] = cuica.next() }
        }
    }

    /// Adds samples at the group's level and pan, with equal power.
    @_noLocks private mutating func add(_ count: Int, to output: AudioBlock, at start: Int, _ group: inout DrumGroup) {
        let (left, right) = (output[0] + start, output[output.channelCount - 1] + start)
        var gains = SIMD2<Float>(1, 1)
        // The first frame after a ramp needs new gains, too.
        var isPanNew = true
        for frame in 0..<count {
            if isPanNew {
                isPanNew = group.pan.isMoving
                gains = Self.gains(group.pan.next() + key.pan)
            }
            let sample = Float(samples[frame]) * key.level * group.level.next() * expression.next()
            if output.channelCount == 1 {
                left[frame] += sample
            } else {
                left[frame] += sample * gains.x
                right[frame] += sample * gains.y
            }
        }
    }

    @inline(__always) @_noLocks private static func gains(_ pan: Float) -> SIMD2<Float> {
        let angle = (max(-1, min(pan, 1)) + 1) * .pi / 4
        return SIMD2(Maths.cos(angle), Maths.sin(angle)) * 1.414_213_6
    }
}
