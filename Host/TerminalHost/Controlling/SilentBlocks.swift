// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A little silence for plug-ins that draw only what they have taken in a block. Main thread.

import PluginHosting
import Realtime

/// Renders silence through a unit, so that its view shows its present values.
final class SilentBlocks {
    private let unit: PluginUnit
    private let block: AudioBuffer

    private static let (frameCount, blockCount) = (1024, 4)

    /// Gives the unit render resources, if it has none; nil if it refuses them, and for a unit that draws without them.
    init?(_ unit: PluginUnit) {
        guard unit.hosted.component.format == .lv2, unit.hosted.hasView else { return nil }
        if !unit.renderResourcesAllocated {
            unit.isRenderingOffline = true
            do { try unit.allocateRenderResources() } catch { return nil }
        }
        self.unit = unit
        block = AudioBuffer(channelCount: unit.format.channelCount, frameCapacity: Self.frameCount)
    }

    /// Renders a few blocks: some plug-ins take new values up in the second.
    func render() {
        let render = unit.renderBlock
        for _ in 0..<Self.blockCount {
            let silence = block.block(frameCount: Self.frameCount)
            silence.silence()
            render(silence, into: silence)
        }
    }
}
