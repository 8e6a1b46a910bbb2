// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Passes its input on times twice its amount, and commits its offence. Render thread.

import CFaults
import PluginSDK

/// The kernel of every offence; it remembers its input to know when the offence is due.
struct OffenderKernel: RenderKernel, ~Copyable {
    let offence: Offence
    let sampleRate: Double
    let channelCount: Int
    let isInHost: Bool
    var amount = 0.5
    /// Twice the amount, as it is heard.
    private var factor = SmoothedValue(1)
    var colour = 3.0
    var history = InputHistory()
    let echo: AudioBuffer
    var echoPosition = 0

    // What it remembers of changes.
    var riseCount = 0
    /// Frames for which all values have stood at their highest.
    var highestFrameCount = 0
    var changesSinceRender = 0
    let hasBeenRestored: Bool
    var hasChanged = false
    // Where it wrote last, and how many frames.
    var lastOutput: UnsafeMutablePointer<Float>?
    var lastFrameCount = 0
    var isPoisoned = false
    /// Whether the ramp waits a frame before it begins.
    private var isRampHeld = false

    static var echoFrameCount: Int { @_noLocks get { 64 } }

    init(_ offence: Offence, _ setup: RenderSetup, hasBeenRestored: Bool) throws(UnitError) {
        self.offence = offence
        self.hasBeenRestored = hasBeenRestored
        sampleRate = setup.sampleRate
        channelCount = setup.channelCount
        isInHost = CFaults_isInHost() != 0
        echo = AudioBuffer(channelCount: setup.channelCount, frameCapacity: Self.echoFrameCount)
        try begin()
    }

    /// Commits the offences that come before rendering.
    private func begin() throws(UnitError) {
        switch offence {
        case .instances: if CFaults_claimInstance() == 0 { throw .failed("another one is there already") }
        case .killedBetweenBlocks: if CFaults_mourn(0) != 0 { throw .failed("the last one has not tidied up") }
        case .killedInsideBlock: if CFaults_mourn(1) != 0 { throw .failed("the last one has not finished its block") }
        case .crashesInProcess: if isInHost { CFaults_crash() }
        case .leaksMemory: CFaults_leakMemory(64 * 1024)
        case .leaksDescriptors: CFaults_leakDescriptor()
        case .leaksThreads: CFaults_leakThread()
        default: break
        }
        CFaults_setRendering(1)
    }

    deinit {
        CFaults_setRendering(0)
        if offence == .instances { CFaults_releaseInstance() }
        CFaults_tidyUp()
    }

    var latencyFrameCount: Int {
        @_noLocks get {
            if case .latency = offence { return 64 }
            if case .lateLatency = offence { return lastFrameCount > 0 ? Self.echoFrameCount : 0 }
            return 0
        }
    }

    var tailFrameCount: Int {
        @_noLocks get {
            if case .reset = offence { return Self.echoFrameCount }
            return 0
        }
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        changesSinceRender += 1
        if change.rampFrameCount == 0, change.address != 1 || change.value != amount { hasChanged = true }
        if change.rampFrameCount == 1, case .automation = offence { CFaults_loop(-1) }
        if change.address == 1 {
            riseCount = change.value > amount && change.value - amount < 0.1 ? riseCount + 1 : 0
            amount = change.value
            factor.ramp(to: Float(amount * 2), over: Int(change.rampFrameCount))
            if case .ramps = offence, factor.isMoving { _ = factor.next() }
            if case .rampsLate = offence { isRampHeld = factor.isMoving }
        }
        if change.address == 2 { colour = change.value }
        if changesSinceRender >= 8, case .parameterFuzz = offence { CFaults_crash() }
    }

    @_noLocks mutating func handle(_ message: MIDIMessage) {
        if case .midi = offence, message[0] & 0xF0 == 0x90, (55..<75).contains(message[1]) { CFaults_crash() }
    }

    @_noLocks mutating func reset() {
        history = InputHistory()
        factor.jump(to: factor.target)
        if case .reset = offence { return }
        echo.block(frameCount: Self.echoFrameCount).silence()
        echoPosition = 0
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        CFaults_setInsideBlock(1)
        history.listen(block.input)
        highestFrameCount = amount == 1 && colour == 10 ? highestFrameCount + block.frameCount : 0
        for frame in 0..<block.frameCount {
            let factor = isRampHeld ? factor.current : factor.next()
            isRampHeld = false
            for channel in 0..<min(block.output.channelCount, block.input.channelCount) {
                block.output[channel][frame] = block.input[channel][frame] * factor
            }
        }
        commit(block)
        changesSinceRender = 0
        hasChanged = false
        lastOutput = block.output.channelCount > 0 ? block.output[0] : nil
        lastFrameCount = block.frameCount
        CFaults_setInsideBlock(0)
    }
}
