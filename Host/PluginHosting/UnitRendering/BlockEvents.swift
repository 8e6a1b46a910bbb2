// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The events that a program hands over with a block, until the unit has them. Render thread; the control thread makes it.

import AudioUnits
import ControlMessages
import Wire

/// A queue of the events of blocks.
///
/// If the unit cannot be asked for a block, it gets the events with the next one. Of events that wait longer, the queue keeps the
/// newest change of each parameter and the newest 256 messages.
struct BlockEvents: ~Copyable {
    /// The most events of one block, and the most that wait from earlier ones.
    static var capacity: Int { @_noLocks get { BlockEvent.maximumCount } }

    private let bounds: ParameterBounds
    private let events: UnsafeMutablePointer<WireEvent>
    private var count = 0
    /// The number of events, from the first one on, that are in the unit's ring.
    private var sentCount = 0
    /// The last pass of `condense` that met each parameter.
    private let passes: UnsafeMutablePointer<UInt64>
    private var pass: UInt64 = 0

    /// `[control]` Makes an empty queue for a unit that renders at `sampleRate`.
    init(_ tree: ParameterTree, sampleRate: Double) {
        bounds = ParameterBounds(tree, sampleRate: sampleRate)
        events = .allocate(capacity: 2 * Self.capacity)
        events.initialize(repeating: WireEvent(), count: 2 * Self.capacity)
        passes = .allocate(capacity: max(1, bounds.count))
        passes.initialize(repeating: 0, count: max(1, bounds.count))
    }

    deinit {
        events.deallocate()
        passes.deallocate()
    }

    /// Takes all events of a block that begins at `sampleTime`, or none; returns the reason for none.
    @_noLocks
    mutating func take(_ block: UnsafeBufferPointer<BlockEvent>, at sampleTime: Int64, frameCount: Int) -> PluginUnit.RenderStatus?
    {
        guard block.count <= Self.capacity else { return .tooManyEvents }
        var last = 0
        for index in 0..<block.count {
            let event = block[index]
            guard event.frameOffset >= 0, event.frameOffset < frameCount else { return .eventOutsideBlock }
            guard event.frameOffset >= last else { return .eventsOutOfOrder }
            last = event.frameOffset
            if let failure = objection(to: event.event) { return failure }
        }
        for index in 0..<block.count {
            let event = block[index]
            events[count] = rampable(event.event).wireEvent(at: sampleTime &+ Int64(event.frameOffset))
            count &+= 1
        }
        return nil
    }

    @_noLocks
    private func objection(to event: RenderEvent) -> PluginUnit.RenderStatus? {
        switch event {
        case .parameter(let change):
            guard let index = bounds.index(of: change.address) else { return .unknownParameter }
            // NaN lies in no range.
            return change.value >= bounds[index].lower && change.value <= bounds[index].upper ? nil : .valueOutOfRange
        case .midi(let message):
            return message.byteCount >= 1 && message.byteCount <= 16 ? nil : .impossibleMessage
        }
    }

    /// The event, without a ramp if the parameter cannot ramp.
    @_noLocks
    private func rampable(_ event: RenderEvent) -> RenderEvent {
        guard case .parameter(var change) = event, let index = bounds.index(of: change.address), !bounds[index].canRamp else {
            return event
        }
        change.rampFrameCount = 0
        return .parameter(change)
    }

    /// The next event for the unit; nil after the last one.
    var next: WireEvent? {
        @_noLocks get { sentCount < count ? events[sentCount] : nil }
    }

    /// Notes that `next` is in the unit's ring.
    @_noLocks
    mutating func advance() { sentCount &+= 1 }

    /// Begins the block again, for a unit that must render it again.
    @_noLocks
    mutating func rewind() { sentCount = 0 }

    /// An event that the unit has received with the block; nil at the end of these.
    @_noLocks
    func sent(_ index: Int) -> WireEvent? { index < sentCount ? events[index] : nil }

    /// Ends the block: removes the events that the unit has received, and keeps the rest.
    @_noLocks
    mutating func endBlock() {
        count &-= sentCount
        for index in 0..<count { events[index] = events[sentCount &+ index] }
        sentCount = 0
        if count > Self.capacity { condense() }
    }

    /// Removes changes that a later one replaces, and the oldest messages.
    @_noLocks
    private mutating func condense() {
        pass &+= 1
        var (first, position, messageCount) = (count, count, 0)
        while position > 0, count &- first < Self.capacity {
            position &-= 1
            guard isKept(events[position], &messageCount) else { continue }
            first &-= 1
            events[first] = events[position]
        }
        count &-= first
        for index in 0..<count { events[index] = events[first &+ index] }
    }

    /// True if an event is kept; call it for all later ones first.
    @_noLocks
    private func isKept(_ event: WireEvent, _ messageCount: inout Int) -> Bool {
        guard case .parameter(let change)? = RenderEvent(event), let index = bounds.index(of: change.address) else {
            messageCount &+= 1
            return messageCount <= Self.capacity / 2
        }
        defer { passes[index] = pass }
        return passes[index] != pass
    }
}
