// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// All data that one cycle reads and writes. Render thread, and counters for the control thread.

import CPipeWireShims
import CRealtimeShims
import Realtime
import Rendering
import Synchronization

/// The driver's render state, allocated by the control thread.
struct RenderState: ~Copyable {
    let sharedState: UnsafeMutablePointer<RenderSharedState>
    /// Nil while the node is only open.
    private var callback: RenderCallback?
    private var sampleTime: Int64 = 0
    private var clock = GraphClock()
    private var lead = RealTimeLead()
    /// True if the node waits while the graph runs faster than real time; otherwise it renders as offline.
    private var holds = false
    /// This cycle's MIDI messages, for the render callback.
    ///
    /// The driver owns the memory.
    private let midi: UnsafeMutablePointer<PipeWireMIDI>
    /// The same messages in the host's form, with notices of sources that are gone.
    private let messages: UnsafeMutablePointer<MIDIInputMessage>
    /// True if the keyboards of a former node may hold notes.
    private var endsAllSources = false

    init(midi: UnsafeMutablePointer<PipeWireMIDI>) {
        self.midi = midi
        messages = .allocate(capacity: Self.messageCapacity)
        messages.initialize(repeating: .end(), count: Self.messageCapacity)
        sharedState = .allocate(capacity: 1)
        sharedState.initialize(to: RenderSharedState())
    }

    private static var midiCapacity: Int { @_noLocks get { Int(CPipeWireShims_midiCapacity) } }
    /// The messages of a cycle, and a notice for each source or for all of them.
    private static var messageCapacity: Int { @_noLocks get { midiCapacity &+ 1 &+ Int(MIDIInputMessage.highestSource) } }

    deinit {
        messages.deallocate()
        sharedState.deinitialize(count: 1)
        sharedState.deallocate()
    }

    /// `[control]` Resets to frame zero, while no node runs.
    ///
    /// Without a callback the node is silent until it is handed one.
    mutating func reset(_ callback: RenderCallback?, holds: Bool) {
        self.callback = callback
        self.holds = holds
        sampleTime = 0
        (clock, lead) = (GraphClock(), RealTimeLead())
        endsAllSources = true
        sharedState.pointee.reset(isSilent: callback == nil)
    }

    /// `[render]` Begins at frame zero if the control thread has handed over a callback.
    @_noLocks
    mutating func begin() {
        guard let taken = sharedState.pointee.takeCallback() else { return }
        callback = taken
        endsAllSources = true
        sampleTime = 0
        (clock, lead) = (GraphClock(), RealTimeLead())
    }

    /// `[render]` Publishes the counters that the control thread reads.
    ///
    /// Relaxed: each counter stands alone, and only this thread writes them.
    @_noLocks
    mutating func observe(_ cycle: UnsafePointer<CPipeWireShims_Cycle>) {
        let now = cycle.pointee
        let wasAhead = lead.isAhead
        lead.take(
            start: now.startNanoseconds, length: Double(now.frameCount) * 1e9 / Double(max(1, now.sampleRate)),
            isFreewheeling: now.isFreewheeling)
        sharedState.pointee.isAhead.store(lead.isAhead, ordering: .relaxed)
        // A block that comes faster than real time cannot be late.
        let isUnjudged = lead.isAhead || wasAhead
        let missed = clock.missedCycles(
            identifier: now.clockIdentifier, position: now.position, frameCount: now.frameCount,
            sampleRate: now.sampleRate, isDiscontinuous: now.isDiscontinuous || isUnjudged, wasLate: now.wasLate)
        sharedState.pointee.missedCycles.add(missed, ordering: .relaxed)
        sharedState.pointee.quantum.store(now.frameCount, ordering: .relaxed)
        sharedState.pointee.sampleRate.store(now.sampleRate, ordering: .relaxed)
        midi.pointee = PipeWireMIDI(events: now.midi, count: Int(now.midiCount))
        if sharedState.pointee.threadIdentifier.load(ordering: .relaxed) == 0 {
            sharedState.pointee.threadIdentifier.store(CPipeWireShims_currentThread(), ordering: .relaxed)
        }
    }

    /// `[render]` Calls the host's callback, or plays silence without one.
    @_noLocks
    mutating func render(_ cycle: UnsafePointer<CPipeWireShims_Cycle>) {
        let now = cycle.pointee
        let frames = Int(now.frameCount)
        var request = RenderCycle(
            sampleTime: sampleTime, hostTime: now.nanoseconds, sampleRate: Double(now.sampleRate),
            transport: Transport(), isOffline: lead.isAhead,
            inputs: AudioBlock(channels: now.inputs, channelCount: Int(now.inputCount), frameCount: frames),
            outputs: AudioBlock(channels: now.outputs, channelCount: Int(now.outputCount), frameCount: frames))
        request.furtherInputCount = Int(now.inputCount) - Int(now.mainInputCount)
        request.furtherOutputCount = Int(now.outputCount) - Int(now.mainOutputCount)
        if holds, lead.isAhead {
            // A keyboard that goes meanwhile must not hold its notes for ever.
            if now.endedMIDIPorts | now.endedMIDIEars != 0 { endsAllSources = true }
            return request.outputs.silence()
        }
        request.midi = messages(of: now)
        if let callback {
            CRealtimeShims_call(callback.function, callback.context, &request)
        } else {
            request.outputs.silence()
        }
        sampleTime &+= Int64(frames)
        sharedState.pointee.cycles.add(1, ordering: .relaxed)
    }
}

extension RenderState {
    /// Converts this cycle's messages to the host's form, behind notices of the sources that are gone.
    @_noLocks
    fileprivate mutating func messages(of cycle: CPipeWireShims_Cycle) -> MIDIInputBlock {
        let first = noteEnds(cycle)
        let count = min(Int(cycle.midiCount), Self.midiCapacity)
        for index in 0..<count {
            let event = cycle.midi[index]
            messages[first &+ index] = MIDIInputMessage(
                sampleTime: Int64(event.frameOffset), port: event.port, source: Self.source(event.port, event.source),
                byteCount: event.byteCount, event.bytes.0, event.byteCount > 1 ? event.bytes.1 : 0,
                event.byteCount > 2 ? event.bytes.2 : 0)
        }
        return MIDIInputBlock(messages, count: first &+ count)
    }

    /// Writes the notices; returns their number.
    @_noLocks
    private mutating func noteEnds(_ cycle: CPipeWireShims_Cycle) -> Int {
        var count = 0
        if endsAllSources {
            messages[0] = .end()
            count = 1
        }
        endsAllSources = false
        for port in 0..<UInt8(CPipeWireShims_midiPortCapacity) where cycle.endedMIDIPorts & 1 << UInt32(port) != 0 {
            messages[count] = .end(ofSource: Self.source(port, 0))
            count &+= 1
        }
        for ear in 0..<UInt8(CPipeWireShims_midiEarCapacity) where cycle.endedMIDIEars & 1 << UInt32(ear) != 0 {
            messages[count] = .end(ofSource: Self.source(0, ear &+ 1))
            count &+= 1
        }
        return count
    }

    /// The number of a source: that of a port for its first one, then those of all further ones.
    @_noLocks
    private static func source(_ port: UInt8, _ further: UInt8) -> UInt8 {
        further == 0 ? port &+ 1 : UInt8(CPipeWireShims_midiPortCapacity) &+ further
    }
}

/// `[render]` PipeWire's process callback; `context` is the driver's `RenderState`.
@_noLocks
func renderPipeWireCycle(_ context: UnsafeMutableRawPointer?, _ cycle: UnsafePointer<CPipeWireShims_Cycle>?) {
    guard let context, let cycle else { return }
    // SAFETY: the driver allocated a RenderState there and frees it only after the node has stopped.
    let state = context.assumingMemoryBound(to: RenderState.self)
    state.pointee.begin()
    state.pointee.observe(cycle)
    state.pointee.render(cycle)
}
