// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The outcome of a block of a single unit. Render thread.

extension PluginUnit {
    /// The outcome of a block.
    ///
    /// In all cases but the first two the outputs are silent, and the block has no effect on the unit.
    public enum RenderStatus: UInt8, Sendable {
        /// The unit rendered the block.
        case rendered
        /// The fallback replaces all of the block or a part of it: the unit is late, dead or put out invalid audio.
        case replaced
        /// The block is longer than `maximumFramesToRender`, or its length is negative.
        case tooManyFrames
        /// The unit has no render resources.
        case noResources
        /// Another thread renders the unit at this moment.
        case busy
        /// There are more buses than the unit has, audio for an unconnected bus, or an output of another length.
        case wrongBuses
        /// There are more events than `BlockEvent.maximumCount`.
        case tooManyEvents
        /// An event lies before its predecessor in the list.
        case eventsOutOfOrder
        /// An event lies before the first frame or after the last one.
        case eventOutsideBlock
        /// The unit has no parameter of that address, or one that cannot be set.
        case unknownParameter
        /// The parameter does not take the value.
        case valueOutOfRange
        /// A MIDI message has no bytes, or more than 16.
        case impossibleMessage
    }
}
