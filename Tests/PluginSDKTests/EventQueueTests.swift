// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The queue of events that lie ahead. Test thread.

import Testing
import Wire

@testable import PluginSDK

@Suite struct EventQueueTests {
    private func event(_ time: Int64, _ address: UInt64 = 0) -> WireEvent {
        WireEvent(parameter: address, value: 0, sampleTime: time)
    }

    /// Takes every event out of the queue.
    private func drain(_ queue: inout EventQueue) -> [WireEvent] {
        var events: [WireEvent] = []
        while queue.nextTime != nil { events.append(queue.removeFirst()) }
        return events
    }

    @Test func givesEventsBackInTheOrderOfTheirTimes() {
        var queue = EventQueue()
        for time in [5, -3, 9, .min, .max, 0] as [Int64] { _ = queue.insert(event(time)) }
        #expect(drain(&queue).map(\.sampleTime) == [.min, -3, 0, 5, 9, .max])
    }

    @Test func eventsOfTheSameTimeKeepTheirOrder() {
        var queue = EventQueue()
        for address in 0..<6 as Range<UInt64> { _ = queue.insert(event(address % 2 == 0 ? 1 : 2, address)) }
        #expect(drain(&queue).map(\.address) == [0, 2, 4, 1, 3, 5])
    }

    @Test func aFullQueueRefusesAndGoesOnAfterwards() {
        var queue = EventQueue()
        let taken = (0...EventQueue.capacity).map { queue.insert(event(Int64($0))) }
        #expect(taken.filter { $0 }.count == EventQueue.capacity && taken.last == false)
        for _ in 0..<1000 { _ = queue.removeFirst() }
        let takenLater = (0...1000).map { queue.insert(event(10_000 + Int64($0))) }
        #expect(takenLater.filter { $0 }.count == 1000 && takenLater.last == false)
        let times = drain(&queue).map(\.sampleTime)
        #expect(times.count == EventQueue.capacity && times == times.sorted())
        #expect(times.first == 1000 && times.last == 10_999)
    }
}
