// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What became of a block of a single unit. Render thread.

extension PluginUnit {
    /// What became of a block.
    ///
    /// In all cases but the first two the outputs are silent, and the block has no effect on the unit.
    public enum RenderStatus: UInt8, Sendable {
        /// The unit rendered it.
        case rendered
        /// The fallback is heard, in all of the block or in a part of it: the unit is late, dead or put out invalid audio.
        case replaced
        /// The block is longer than `maximumFramesToRender`, or shorter than nothing.
        case tooManyFrames
        /// The unit has no render resources.
        case noResources
        /// Another thread renders the unit at this moment.
        case busy
    }
}
