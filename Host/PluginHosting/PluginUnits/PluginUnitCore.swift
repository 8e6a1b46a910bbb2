// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the render thread touches of a single unit. Render thread; the control thread while the gate is closed.

import LinuxSystem
import Realtime
import Rendering

/// Renders blocks of one unit that has resources.
struct PluginUnitCore: ~Copyable {
    private let row: UnsafeMutablePointer<RowCore>
    private let unitState: UnsafeMutablePointer<UnitSharedState>
    private let format: BlockFormat
    private let outputCount: Int
    private let isOffline: Bool
    /// The input, where the caller's does not have the unit's shape, and where the caller is asked for it.
    private let staging: AudioBuffer
    private let hasBeenLate: UnsafeMutablePointer<Bool>
    private var nextSampleTime: Int64 = 0

    /// `row` holds one unit, and outlives the core.
    init(_ row: UnitRow, isOffline: Bool) {
        self.row = row.core
        unitState = row.members[0].sharedState
        format = row.format
        outputCount = row.outputChannelCounts.first ?? 0
        self.isOffline = isOffline
        staging = AudioBuffer(channelCount: row.format.channelCount, frameCapacity: row.format.maximumFrameCount)
        hasBeenLate = .allocate(capacity: 1)
        hasBeenLate.initialize(to: false)
    }

    deinit { hasBeenLate.deallocate() }

    /// Whether the unit can render so many frames at once.
    @_noLocks
    func accepts(frameCount: Int) -> Bool { frameCount <= format.maximumFrameCount && frameCount >= 0 }

    /// Silence in the shape of the unit's input, for the caller to fill.
    @_noLocks
    func inputBlock(frameCount: Int) -> AudioBlock {
        let block = staging.block(frameCount: frameCount)
        block.silence()
        return block
    }

    /// Renders one block of `accepts(frameCount:)` frames.
    @_noLocks
    mutating func render(
        _ input: AudioBlock, into output: AudioBlock, at time: Int64?, _ transport: Transport
    ) -> PluginUnit.RenderStatus {
        let sampleTime = time ?? nextSampleTime
        nextSampleTime = sampleTime &+ Int64(output.frameCount)
        hasBeenLate.pointee = false
        let replacedBefore = unitState.pointee.replacedBlockCount.load(ordering: .relaxed)
        let cycle = RenderCycle(
            sampleTime: sampleTime, hostTime: MonotonicClock.now(), sampleRate: format.sampleRate, transport: transport,
            isOffline: isOffline, inputs: input, outputs: output)
        RealtimeRegion.enter()
        let source = shaped(input, output.frameCount)
        row.pointee.render(StepCall(cycle: cycle, input: source, output: output, hasBeenLate: hasBeenLate))
        RealtimeRegion.exit()
        silenceExtraChannels(of: output)
        let replaced = unitState.pointee.replacedBlockCount.load(ordering: .relaxed)
        return replaced == replacedBefore ? .rendered : .replaced
    }

    /// The input as the unit reads it: missing channels and frames are silent.
    @_noLocks
    private func shaped(_ input: AudioBlock, _ frameCount: Int) -> AudioBlock {
        if input.channelCount >= format.channelCount, input.frameCount == frameCount { return input }
        let block = inputBlock(frameCount: frameCount)
        block.copy(from: input)
        return block
    }

    @_noLocks
    private func silenceExtraChannels(of output: AudioBlock) {
        guard output.channelCount > outputCount else { return }
        AudioBlock(
            channels: output.channels + outputCount, channelCount: output.channelCount - outputCount,
            frameCount: output.frameCount
        )
        .silence()
    }
}
