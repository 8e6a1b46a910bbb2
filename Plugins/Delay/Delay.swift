// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Delay: repeats at a time that is exact to a fraction of a frame, with feedback and damping. Render thread.

import PluginSDK

struct Delay: Kernel, ~Copyable {
    private let sampleRate: Double
    private let glide: Int
    private let channelCount: Int
    private let table: SincTable
    private let line: DelayLine
    private var taps: HeadTaps
    private var incomingTaps: HeadTaps
    private let lowPassStates: UnsafeMutablePointer<FeedbackLowPass.State>
    /// The samples that one frame reads from the line, and those that it feeds back; one value a channel each.
    private let repeats: UnsafeMutablePointer<Float>
    private let returns: UnsafeMutablePointer<Float>
    private var time: DelayTime
    private var lowPass = FeedbackLowPass()
    private var feedback = SmoothedValue(0)
    private var mix = SmoothedValue(0)
    private var pingPong = SmoothedValue(0)
    /// The share of the input itself in the repeats: 1 while the time is 0.
    private var undelayed = SmoothedValue(0)
    private var seconds = 0.35
    private var note = 0
    private var tempo = 120.0
    private var tail = 0

    init(_ setup: RenderSetup) {
        sampleRate = setup.sampleRate
        glide = setup.frameCount(seconds: 0.02)
        channelCount = setup.channelCount
        // The shortest delay must leave room for the taps after it.
        table = SincTable(halfWidth: min(16, max(2, Int(Self.shortest * sampleRate) - 1)))
        let longest = setup.frameCount(seconds: Self.longest)
        line = DelayLine(channelCount: channelCount, frameCount: longest, tapCount: table.tapCount)
        time = DelayTime(sampleRate: sampleRate)
        taps = HeadTaps(count: table.tapCount)
        incomingTaps = HeadTaps(count: table.tapCount)
        lowPassStates = .allocate(capacity: channelCount)
        lowPassStates.initialize(repeating: FeedbackLowPass.State(), count: channelCount)
        repeats = .allocate(capacity: 2 * channelCount)
        repeats.initialize(repeating: 0, count: 2 * channelCount)
        returns = repeats + channelCount
    }

    deinit {
        lowPassStates.deallocate()
        repeats.deallocate()
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        let ramp = Int(change.rampFrameCount)
        let frames = ramp > 0 ? ramp : glide
        switch change.address {
        case 0: seconds = change.value
        case 1: feedback.ramp(to: min(0.999, max(-0.999, Float(change.value) * 0.01)), over: frames)
        case 2: lowPass.glide(toFrequency: 2 * Double.pi * change.value / sampleRate, over: frames)
        case 3: mix.ramp(to: Float(change.value) * 0.01, over: frames)
        case 4: pingPong.ramp(to: Float(change.value), over: frames)
        default: note = Int(change.value)
        }
        if change.address == 0 || change.address == 5 {
            updateTime(rampFrameCount: ramp)
            undelayed.ramp(to: isUndelayed ? 1 : 0, over: frames)
        }
        updateTail()
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        if note > 0, block.transport.tempo != tempo { follow(block.transport.tempo) }
        let (input, output) = (block.input, block.output)
        for frame in 0..<block.frameCount {
            time.prepare()
            let direct = undelayedShare()
            if direct < 1 { readRepeats() } else { silenceRepeats() }
            let wet = mix.next()
            goRound(input, frame, share: 1 - direct)
            if direct > 0 { blend(input, frame, share: direct) }
            for channel in 0..<min(channelCount, output.channelCount) {
                let dry = input[channel][frame]
                output[channel][frame] = dry + (repeats[channel] - dry) * wet
            }
            time.advance()
        }
    }

    @_noLocks mutating func reset() {
        line.forget()
        time.jump()
        feedback.jump(to: feedback.target)
        mix.jump(to: mix.target)
        pingPong.jump(to: pingPong.target)
        undelayed.jump(to: undelayed.target)
        lowPass.jump()
        for channel in 0..<channelCount { lowPassStates[channel] = FeedbackLowPass.State() }
    }

    var tailFrameCount: Int { @_noLocks get { tail } }
}

extension Delay {
    private var isUndelayed: Bool { @_noLocks get { seconds == 0 && note == 0 } }

    /// The share of the input itself at the next frame, on a smooth curve.
    @_noLocks private mutating func undelayedShare() -> Float {
        let line = undelayed.next()
        return line * line * (3 - 2 * line)
    }

    @_noLocks private mutating func updateTime(rampFrameCount: Int) {
        var length = seconds
        if let beats = Self.beats(ofNote: note) { length = beats * 60 / tempo }
        let frames = min(Self.longest, max(Self.shortest, length)) * sampleRate
        time.set(max(Double(table.halfWidth + 1), frames), rampFrameCount: rampFrameCount)
    }

    /// Takes the song's tempo if it lies between 1 and 1000 quarter notes a minute.
    @_noLocks private mutating func follow(_ newTempo: Double) {
        guard newTempo >= 1, newTempo <= 1000 else { return }
        tempo = newTempo
        updateTime(rampFrameCount: 0)
        updateTail()
    }

    /// Sets the tail to the time in which the repeats fall by 120 dB.
    @_noLocks private mutating func updateTail() {
        if isUndelayed {
            tail = 0
            return
        }
        let factor = max(1e-9, abs(Double(feedback.target)))
        let count = 1 + Maths.floor(Maths.log(1e-6) / Maths.log(factor))
        tail = Int(count * (time.wanted + Double(table.halfWidth))) + 1
    }

    /// Reads every channel's delayed samples for this frame.
    @_noLocks private mutating func readRepeats() {
        let newest = taps.place(at: time.head.delay, table)
        for channel in 0..<channelCount {
            repeats[channel] = line.read(channel: channel, newest: newest, taps: taps.weights)
        }
        guard time.isFading else { return }
        let incoming = incomingTaps.place(at: time.incoming.delay, table)
        let share = time.incomingShare
        for channel in 0..<channelCount {
            let other = line.read(channel: channel, newest: incoming, taps: incomingTaps.weights)
            repeats[channel] += (other - repeats[channel]) * share
        }
    }

    @_noLocks private func silenceRepeats() {
        for channel in 0..<channelCount { repeats[channel] = 0 }
    }

    /// Fades from the repeats to the input itself.
    @_noLocks private func blend(_ input: AudioBlock, _ frame: Int, share: Float) {
        for channel in 0..<min(channelCount, input.channelCount) {
            repeats[channel] = repeats[channel] * (1 - share) + input[channel][frame] * share
        }
    }

    /// Writes the input and the feedback, times a share, into the line.
    @_noLocks private mutating func goRound(_ input: AudioBlock, _ frame: Int, share: Float) {
        let (gain, crossing) = (feedback.next() * share, pingPong.next())
        for channel in 0..<channelCount {
            returns[channel] = lowPass.process(repeats[channel], &lowPassStates[channel]) * gain
        }
        lowPass.advance()
        for channel in 0..<min(channelCount, input.channelCount) {
            let partner = channel ^ 1 < channelCount ? channel ^ 1 : channel
            let (own, other) = (input[channel][frame], input[partner][frame])
            // At full ping-pong the first of a pair takes the sum. The second takes only the first one's repeats.
            let crossed = partner == channel ? own : channel < partner ? 0.5 * (own + other) : 0
            let sound = own + (crossed - own) * crossing
            let back = returns[channel] + (returns[partner] - returns[channel]) * crossing
            line.write(channel: channel, sound + back)
        }
        line.advance()
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Delay.exported }
