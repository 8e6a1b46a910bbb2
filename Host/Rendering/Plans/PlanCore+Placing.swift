// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Adds the signal of a source that has a place to a bus: averaged, filtered, to the left and the right. Render thread.

import Realtime

extension PlanCore {
    /// Adds the signal of a connection whose targets are set, at its place.
    ///
    /// It clears `isSilent` as soon as it has written something.
    @_noLocks
    func place(
        _ edge: Edge, _ placed: UnsafeMutablePointer<PlacedCore>, in block: AudioBlock, _ clock: Int, _ isSilent: inout Bool
    ) {
        let (state, frameCount) = (edge.core, block.frameCount)
        let source = tables.signals[edge.source]
        placed.pointee.aim(
            isMono: source.block.channelCount == 1, isMonoOutput: block.channelCount == 1,
            sampleRate: edge.sampleRate, glideFrameCount: glideFrameCount(clock), isUnheard: state.pointee.isUnheard)
        var audio = delayed(edge, source, frameCount, clocks.fadeFrameCount(clock))
        if audio == nil, placed.pointee.last != 0 {
            audio = silence(source.block.channelCount, frameCount).block
        }
        guard let audio, audio.channelCount > 0 else {
            state.pointee.advance(by: frameCount)
            placed.pointee.advance(by: frameCount)
            return state.pointee.publish()
        }
        if isSilent { block.silence() }
        isSilent = false
        let (isAside, isPlacedAlone) = (placed.pointee.isAside, placed.pointee.isPlacedAlone)
        writeGains(state, placed, frameCount)
        if isAside { _ = placed.pointee.share.advance(by: frameCount) } else { addPoint(placed, audio, block) }
        if !isPlacedAlone { addThrough(edge, audio, block) }
        state.pointee.publish()
    }

    /// Writes the gains of the left, the right and what goes through, one behind the other.
    @_noLocks
    private func writeGains(
        _ state: UnsafeMutablePointer<ConnectionCore>, _ placed: UnsafeMutablePointer<PlacedCore>, _ frameCount: Int
    ) {
        let (left, right) = (tables.gains, tables.gains + maximumFrameCount)
        let through = tables.gains + 2 &* maximumFrameCount
        guard !state.pointee.isSteady || !placed.pointee.isSteady else {
            let gain = state.pointee.fade.current * state.pointee.left.current
            for frame in 0..<frameCount { left[frame] = gain * placed.pointee.left.current }
            for frame in 0..<frameCount { right[frame] = gain * placed.pointee.right.current }
            for frame in 0..<frameCount { through[frame] = gain * placed.pointee.through.current }
            return
        }
        for frame in 0..<frameCount {
            let gain = state.pointee.nextFade() * state.pointee.left.next()
            left[frame] = gain * placed.pointee.left.next()
            right[frame] = gain * placed.pointee.right.next()
            through[frame] = gain * placed.pointee.through.next()
        }
    }

    @_noLocks
    private func addPoint(_ placed: UnsafeMutablePointer<PlacedCore>, _ source: AudioBlock, _ block: AudioBlock) {
        let (gains, point) = (tables.gains, tables.gains + 3 &* maximumFrameCount)
        average(source, into: point)
        placed.pointee.filter(point, block.frameCount)
        for side in 0..<min(2, block.channelCount) {
            let (to, gain) = (block[side], gains + side &* maximumFrameCount)
            for frame in 0..<block.frameCount { to[frame] += point[frame] * gain[frame] }
        }
    }

    /// The mean of all channels.
    @_noLocks
    private func average(_ source: AudioBlock, into point: UnsafeMutablePointer<Float>) {
        let (first, share) = (source[0], 1 / Float(source.channelCount))
        for frame in 0..<source.frameCount { point[frame] = first[frame] * share }
        for channel in 1..<max(1, source.channelCount) {
            let samples = source[channel]
            for frame in 0..<source.frameCount { point[frame] += samples[frame] * share }
        }
    }

    /// Adds the channels as a mixer does.
    @_noLocks
    private func addThrough(_ edge: Edge, _ source: AudioBlock, _ block: AudioBlock) {
        let gains = tables.gains + 2 &* maximumFrameCount
        for index in 0..<edge.routeCount {
            let route = tables.routes[edge.firstRoute &+ index]
            guard route.source < source.channelCount else { continue }
            let (from, to) = (source[route.source], block[route.destination])
            for frame in 0..<block.frameCount { to[frame] += from[frame] * (route.gain * gains[frame]) }
        }
    }
}
