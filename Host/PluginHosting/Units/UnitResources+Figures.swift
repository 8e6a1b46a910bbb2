// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Figures of a unit with resources: latency, tail, channels, counts of its blocks. Any thread.

import AudioUnits
import Synchronization

extension UnitResources {
    /// The delay of the unit's output in frames; it may change while the unit renders.
    package var latencyFrameCount: Int { sharedState.pointee.latencyFrameCount.load(ordering: .relaxed) }

    /// The channels of each input bus; 0 for an unconnected one.
    package var inputChannelCounts: [Int] {
        let sideInputs = format.sideInputs
        return wiring.inputs.indices.map { bus in
            bus == 0 ? format.channelCount : bus <= sideInputs.count ? sideInputs[bus - 1] : 0
        }
    }

    /// The channels of each output bus.
    package var outputChannelCounts: [Int] { wiring.outputs.map(\.channelCount) }

    /// The channels of each of the plug-in's instances, from 1 on; nil if one instance has them all.
    ///
    /// A lone channel feeds all inputs of its instance, and gets the instance's first output.
    package var instanceChannels: [[Int]]? {
        guard let groups = unit.description.channelGroups(of: wiring.outputs.first ?? BusFormat(channelCount: 0)), groups.count > 1
        else {
            return nil
        }
        return groups.channels.map { $0.map { $0 + 1 } }
    }

    /// The names of the unconnected side chains.
    package var unconnectedSideChains: [String] {
        unit.description.inputs.enumerated().dropFirst()
            .filter { index, _ in index > wiring.sideInputs.count || wiring.sideInputs[index - 1] == 0 }.map(\.element.name)
    }

    /// The number of times that the unit silenced itself because the plug-in inside it put out NaN.
    package var invalidStretchCount: Int { Int(sharedState.pointee.invalidStretchCount.load(ordering: .relaxed)) }

    /// The number of notes for which the unit has no sound; 0 if it cannot tell.
    package var unplayedNoteCount: Int { Int(sharedState.pointee.unplayedNoteCount.load(ordering: .relaxed)) }

    /// The number of programs that the unit lacks, and that another one replaced.
    package var substitutedProgramCount: Int { Int(sharedState.pointee.substitutedProgramCount.load(ordering: .relaxed)) }

    /// The number of events that the present process of the unit has dropped: they found no room, or it did not understand them.
    package var droppedEventCount: Int { Int(sharedState.pointee.droppedEventCount.load(ordering: .relaxed)) }

    /// The number of MIDI messages whose values are not kept for the unit's next process: there was no room.
    package var unkeptMessageCount: UInt64 { unit.port.unkeptCount }

    /// The number of the unit's blocks that held invalid audio and were replaced.
    package var invalidBlockCount: UInt64 { sharedState.pointee.invalidBlockCount.load(ordering: .relaxed) }

    /// The number of blocks in which the fallback was heard.
    package var replacedBlockCount: UInt64 { sharedState.pointee.replacedBlockCount.load(ordering: .relaxed) }

    /// True if the unit has put out more than silence since the allocation.
    package var hasSounded: Bool { sharedState.pointee.hasSounded.load(ordering: .relaxed) }

    /// True if the unit has put out anything but its input, delayed by its latency, since the allocation.
    package var hasChangedSound: Bool { sharedState.pointee.hasChangedSound.load(ordering: .relaxed) }

    /// The nanoseconds that the unit took for its last block, by its own clock.
    package var renderNanoseconds: UInt64 { sharedState.pointee.renderNanoseconds.load(ordering: .relaxed) }

    /// Takes the nanoseconds of the longest block since the last call.
    package func takeLongestRenderNanoseconds() -> UInt64 {
        sharedState.pointee.longestRenderNanoseconds.exchange(0, ordering: .relaxed)
    }
}
