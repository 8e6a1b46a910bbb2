// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The offences that are committed while rendering. Render thread.

import CFaults
import PluginSDK

extension OffenderKernel {
    /// Commits the offence, if it is due.
    @_noLocks
    mutating func commit(_ block: RenderBlock) {
        commitInSound(block)
        commitInDeed(block)
        switch offence {
        case .blockSizes: spoil(block, if: block.frameCount == 8191)
        case .sampleRates: spoil(block, if: sampleRate == 176_400)
        case .channelLayouts: spoil(block, if: channelCount == 1)
        case .silence: spoil(block, if: history.hasHeardNothing && history.frameCount > 12_000)
        case .fullScale: spoil(block, if: history.longestLoudRun > 100)
        case .notANumber:
            if history.hasHeardNaN { isPoisoned = true }
            spoil(block, if: isPoisoned)
        case .parameterSweep: spoil(block, if: riseCount >= 10)
        case .parameterExtremes: spoil(block, if: highestFrameCount > 512)
        case .presets: spoil(block, if: amount == 0.123456789)
        default: break
        }
    }

    @_noLocks
    private func spoil(_ block: RenderBlock, if isDue: Bool) { if isDue { fill(block, with: .nan) } }

    @_noLocks
    private func fill(_ block: RenderBlock, with value: Float) {
        for channel in 0..<block.output.channelCount {
            for frame in 0..<block.frameCount { block.output[channel][frame] = value }
        }
    }

    @_noLocks
    private func scale(_ block: RenderBlock, by factor: Float) {
        for channel in 0..<block.output.channelCount {
            for frame in 0..<block.frameCount { block.output[channel][frame] *= factor }
        }
    }

    @_noLocks
    private mutating func commitInSound(_ block: RenderBlock) {
        switch offence {
        case .impulse: if history.hasHeardImpulse { fill(block, with: 0.001 * Maths.exp(Float(history.frameCount) / 2000)) }
        // The smallest subnormal number.
        case .denormals: if history.fallenSilent(after: 8000) > 1000 { fill(block, with: Float(bitPattern: 1)) }
        case .tail: if (1...48_000).contains(history.fallenSilent(after: 20_000)) { fill(block, with: 0.1) }
        case .stateSound: if hasBeenRestored { scale(block, by: 0.5) }
        case .inProcess: if isInHost { scale(block, by: 0.999) }
        case .determinism: addNoise(block)
        case .reset: addEcho(block)
        case .lateLatency: delay(block)
        case .sampleAccuracy: if hasChanged { spoilWhatCameBefore(block) }
        default: break
        }
    }

    @_noLocks
    private func commitInDeed(_ block: RenderBlock) {
        switch offence {
        // Most of the time, so that the kill falls inside on a loaded machine, too.
        case .killedInsideBlock: if block.frameCount >= 4096 { CFaults_sleep(20) }
        case .renderTime: if !block.isOffline, block.frameCount >= 512 { CFaults_loop(7) }
        case .allocates: CFaults_allocate()
        case .locks: CFaults_lock()
        case .readsFiles: CFaults_readFile()
        case .sleeps: CFaults_sleep(0)
        default: break
        }
    }

    @_noLocks
    private func addNoise(_ block: RenderBlock) {
        for channel in 0..<block.output.channelCount {
            for frame in 0..<block.frameCount { block.output[channel][frame] += 1e-6 * CFaults_noise() }
        }
    }

    @_noLocks
    private mutating func addEcho(_ block: RenderBlock) {
        let memory = echo.block(frameCount: Self.echoFrameCount)
        for frame in 0..<block.frameCount {
            for channel in 0..<block.output.channelCount {
                block.output[channel][frame] += memory[channel][echoPosition] * 0.5
                memory[channel][echoPosition] = block.input[channel][frame]
            }
            echoPosition = (echoPosition + 1) % Self.echoFrameCount
        }
    }

    @_noLocks
    private mutating func delay(_ block: RenderBlock) {
        let memory = echo.block(frameCount: Self.echoFrameCount)
        for frame in 0..<block.frameCount {
            for channel in 0..<block.output.channelCount {
                let sample = block.output[channel][frame]
                block.output[channel][frame] = memory[channel][echoPosition]
                memory[channel][echoPosition] = sample
            }
            echoPosition = (echoPosition + 1) % Self.echoFrameCount
        }
    }

    /// Silences the last frames of the stretch before, where that lies right before this one.
    @_noLocks
    private func spoilWhatCameBefore(_ block: RenderBlock) {
        guard let lastOutput, lastFrameCount >= 8, block.output.channelCount > 0,
            UInt(bitPattern: lastOutput + lastFrameCount) == UInt(bitPattern: block.output[0])
        else { return }
        for frame in 1..<9 { block.output[0][-frame] = 0 }
    }
}

/// What the first channel of the input has held.
struct InputHistory {
    private(set) var frameCount = 0
    private(set) var longestLoudRun = 0
    private(set) var hasHeardNaN = false
    private var loudRun = 0
    private var soundCount = 0
    private var silentRun = 0
    private var firstSound: Float = 0

    @_noLocks init() {}

    @_noLocks
    mutating func listen(_ input: AudioBlock) {
        guard input.channelCount > 0 else { return }
        for frame in 0..<input.frameCount { hear(input[0][frame]) }
    }

    @_noLocks
    private mutating func hear(_ sample: Float) {
        frameCount += 1
        if sample != sample { hasHeardNaN = true }
        loudRun = abs(sample) >= 1 ? loudRun + 1 : 0
        longestLoudRun = max(longestLoudRun, loudRun)
        silentRun = sample == 0 ? silentRun + 1 : 0
        if sample != 0 {
            if soundCount == 0 { firstSound = sample }
            soundCount += 1
        }
    }

    var hasHeardNothing: Bool { @_noLocks get { soundCount == 0 } }

    var hasHeardImpulse: Bool { @_noLocks get { soundCount == 1 && firstSound == 1 } }

    /// Frames since the input fell silent after `count` others; 0 while it sounds.
    @_noLocks
    func fallenSilent(after count: Int) -> Int { soundCount >= count ? silentRun : 0 }
}
