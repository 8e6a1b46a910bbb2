// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays the current plan, and changes to a new one between two cycles. Render thread; the control thread hands plans over.

import LinuxSystem
import Realtime
import Synchronization

/// The state of the render thread, at one address while the player lives.
///
/// `mutating` gives the render thread all of it during a cycle, atomics included. So the state that other threads use meanwhile
/// lies elsewhere, as `sharedState`. They take its address before the rendering begins.
struct PlayerCore: ~Copyable {
    let sharedState: UnsafeMutablePointer<PlayerSharedState>
    /// The song's time line, which outlives the player.
    private let transport: UnsafeMutablePointer<TransportCore>?
    private var place: HandOver<UnsafeMutablePointer<PlanCore>>.Place?
    /// The driver's sample time at which the first plan began.
    private var startTime: Int64?
    /// The sample time after the last cycle.
    private var endTime: Int64 = 0

    init(wakeUp: EventDescriptor?, transport: UnsafeMutablePointer<TransportCore>?) {
        self.transport = transport
        sharedState = .allocate(capacity: 1)
        sharedState.initialize(to: PlayerSharedState(wakeUp: wakeUp))
    }

    deinit {
        _ = HandOver.free(place)
        sharedState.deinitialize(count: 1)
        sharedState.deallocate()
    }

    @_noLocks
    mutating func render(_ cycle: RenderCycle) {
        let isNew = takePending()
        let started = MonotonicClock.now()
        guard let current = place?.pointee else { return cycle.outputs.silence() }
        sharedState.pointee.cycles.begin()
        var cycle = cycle
        if sharedState.pointee.mustRewind.load(ordering: .relaxed) {
            sharedState.pointee.mustRewind.store(false, ordering: .relaxed)
            (startTime, endTime) = (cycle.sampleTime, 0)
        }
        // A stopped driver counts from the beginning again, and the audio goes on where it was.
        if cycle.sampleTime &- (startTime ?? .max) < endTime { startTime = cycle.sampleTime &- endTime }
        cycle.sampleTime &-= startTime ?? 0
        endTime = cycle.sampleTime &+ Int64(cycle.frameCount)
        if isNew {
            sharedState.pointee.noteHeard(current.pointee.serial.pointee.load(ordering: .relaxed), at: cycle.sampleTime)
            if let log = transport?.pointee.activeLog { log.pointee.write(LoggedEvent(.plan, at: cycle.sampleTime)) }
        }
        cycle.transport.beatPosition = Double(cycle.sampleTime) / cycle.sampleRate * cycle.transport.tempo / 60
        RealtimeRegion.enter()
        current.pointee.render(cycle, transport)
        transport?.pointee.publish(at: cycle.sampleTime)
        RealtimeRegion.exit()
        sharedState.pointee.count(from: started, to: MonotonicClock.now(), in: cycle)
        sharedState.pointee.raisePeaks(to: cycle.outputs)
    }

    /// Changes to the pending plan, if there is one.
    @_noLocks
    private mutating func takePending() -> Bool {
        guard let next = sharedState.pointee.plans.passage.take()?.assumingMemoryBound(to: UnsafeMutablePointer<PlanCore>.self)
        else { return false }
        if let place { sharedState.pointee.plans.passage.giveBack(place) }
        place = next
        return true
    }
}
