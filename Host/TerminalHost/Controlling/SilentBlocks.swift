// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders silence for plug-ins that draw only values that a block has used. Main thread.

import PluginHosting
import Realtime

/// Renders silence through a unit, so that its view shows its present values.
final class SilentBlocks {
    private let unit: PluginUnit
    private let block: AudioBuffer

    private static let (frameCount, blockCount) = (1024, 4)

    /// Allocates the unit's render resources, if it has none; nil if that fails, and for a unit that draws without them.
    init?(_ unit: PluginUnit) {
        guard unit.hosted.component.format == .lv2, unit.hosted.hasView else { return nil }
        if !unit.renderResourcesAllocated {
            unit.isRenderingOffline = true
            do { try unit.allocateRenderResources() } catch { return nil }
        }
        self.unit = unit
        block = AudioBuffer(channelCount: unit.format.channelCount, frameCapacity: Self.frameCount)
    }

    /// Renders a few blocks, because some plug-ins use new values only in the second.
    func render() {
        let render = unit.renderBlock
        for _ in 0..<Self.blockCount {
            let silence = block.block(frameCount: Self.frameCount)
            silence.silence()
            render(silence, into: silence)
        }
    }
}
