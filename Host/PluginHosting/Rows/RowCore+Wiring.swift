// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A row of units that allocated one by one: some read their predecessor's memory, others their inlet. Render thread.

import CWireLayout
import LinuxSystem
import Realtime
import Rendering
import Wire

extension RowCore {
    /// Chooses the wiring of a unit for its next request.
    @_noLocks
    mutating func wire(_ index: Int) {
        guard let links else { return units[index].pointee.choose(0, nil) }
        // The input lies in the predecessor's memory, where the host may not write a fade.
        let mayBeWired = index == 0 || !units[index].pointee.inputFade.isMoving
        units[index].pointee.choose(mayBeWired ? row : 0, mayBeWired ? UnsafePointer(links + index) : nil)
        guard isUnwired(index) else { return }
        hasUnwired = true
        // As for the row's own doorbell: the kernel wakes this thread at a death only while these bits are zero.
        links[index].hostDoorbell.clearBelowCount()
    }

    /// True if the unit of a row reads its inlet and rings its own host's doorbell.
    @_noLocks
    func isUnwired(_ index: Int) -> Bool { links != nil && units[index].pointee.wantedWiring == 0 }

    /// True if the unit before the one at `index` can ring it.
    @_noLocks
    func canBeRung(_ index: Int) -> Bool {
        units[index - 1].pointee.wantedWiring != 0 && units[index].pointee.isReadyForRing
    }

    /// Lets the unit at `index` find its input, and returns the slot number for its request.
    @_noLocks
    mutating func fillInput(of index: Int, _ cycle: RenderCycle) -> Int {
        guard let links, index > 0 else { return inputSlot(of: index) }
        guard isUnwired(index) else { return wired(inputSlot(of: index)) }
        let layout = links[index].inletLayout
        let slot = Int(truncatingIfNeeded: cycleNumber(of: index)) & (layout.slotCount - 1)
        let input = inputBlock(of: index, frameCount: cycle.frameCount)
        for channel in 0..<input.channelCount {
            inletChannels[channel] = links[index].inlet + layout.sampleOffset(slot: slot, channel: channel)
        }
        let inlet = AudioBlock(
            channels: UnsafePointer(inletChannels), channelCount: input.channelCount, frameCount: input.frameCount)
        inlet.copy(from: input)
        if units[index].pointee.inputFade.isMoving, !units[index].pointee.isPending {
            units[index].pointee.inputFade.process(inlet)
        }
        return slot
    }

    /// The number for a slot of the predecessor's memory in a request.
    @_noLocks
    func wired(_ slot: Int) -> Int { slot | CWireLayout_inputSlotWired }

    /// The doorbell that the last unit of a run rings.
    @_noLocks
    func bell(ofRunFrom first: Int) -> SharedFutexWord {
        guard let links, isUnwired(first) else { return hostDoorbell }
        return links[first].hostDoorbell
    }
}
