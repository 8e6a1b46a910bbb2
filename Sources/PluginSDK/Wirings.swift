// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The wirings of a unit: the control thread prepares them, and the threads that render the unit use them.

import AudioUnits
import CWireLayout
import ControlMessages
import LinuxSystem
import Synchronization
import Wire

/// One wiring: the doorbells and the input memory that requests use.
struct Wiring: ~Copyable {
    let doorbells: Doorbells
    /// The input buses of this wiring; they point the blocks of the core.
    let inputs: BusBlocks
    /// Keeps the memory above mapped.
    private let memories: [SharedMemory]

    /// `[control]` The wiring that comes with an allocation, whose inputs the core has itself.
    init(_ doorbells: Doorbells) {
        self.doorbells = doorbells
        inputs = BusBlocks([])
        memories = []
    }

    /// `[control]` A further wiring of a unit with these input buses.
    init(
        _ rewiring: Rewiring, _ memory: WiringMemory, formats: [BusFormat], blocks: UnsafeMutablePointer<AudioBlock>
    ) {
        doorbells = memory.doorbells
        memories = memory.memories
        let sources = formats.indices.map { bus in
            let connection = rewiring.connections[bus]
            return BusBlocks.Source(
                base: memory.inputs[bus], layout: connection?.layout ?? Self.noLayout,
                firstChannel: connection?.firstChannel ?? 0, channelCount: formats[bus].channelCount)
        }
        inputs = BusBlocks(sources, pointing: blocks)
    }

    /// The layout of a bus that is not connected: no slot of it exists.
    private static var noLayout: AudioMemoryLayout { AudioMemoryLayout(slotCount: 0, channelCount: 0, maximumFrameCount: 0) }
}

/// All wirings of a unit, at one address while resources are allocated.
///
/// The control thread replaces a wiring only if no thread uses it. A thread announces its wiring, and then looks again. The
/// control thread takes a wiring away, and then looks at the announcements. These steps are sequentially consistent, so at
/// least one side notices the other.
///
/// Thus even a host that breaks the rules does not make a thread read memory that is not mapped.
struct Wirings: ~Copyable {
    typealias Place = UnsafeMutablePointer<Wiring>

    private let places: UnsafeMutablePointer<Atomic<Place?>>
    /// The wiring of the newest request that has been taken.
    ///
    /// Only the thread that has claimed the unit stores it.
    private let used = Atomic<Place?>(nil)
    /// The wiring at whose doorbell the unit's own thread sleeps.
    private let watched = Atomic<Place?>(nil)
    /// The number that a thread looks up; 0 for none, since wiring 0 is never replaced.
    private let sought = Atomic<UInt32>(0)

    init() {
        places = .allocate(capacity: CWireLayout_wiringCount)
        for number in 0..<CWireLayout_wiringCount { (places + number).initialize(to: Atomic(nil)) }
    }

    deinit {
        for number in 0..<CWireLayout_wiringCount {
            if let place = places[number].load(ordering: .acquiring) { Self.free(place) }
        }
        places.deallocate()
    }

    private static func free(_ place: Place) {
        place.deinitialize(count: 1)
        place.deallocate()
    }

    /// `[control]` Sets wiring 0, before the render thread starts.
    func begin(with wiring: consuming Wiring) {
        let place = Place.allocate(capacity: 1)
        place.initialize(to: wiring)
        places[0].store(place, ordering: .releasing)
        used.store(place, ordering: .releasing)
    }

    /// `[control]` Adds a wiring, or replaces the wiring of this number, from 1 on.
    ///
    /// Throws `UnitError` if that wiring is in use.
    func put(_ wiring: consuming Wiring, at number: Int) throws(UnitError) {
        let made = Place.allocate(capacity: 1)
        made.initialize(to: wiring)
        let former = places[number].load(ordering: .relaxed)
        places[number].store(nil, ordering: .sequentiallyConsistent)
        if let former, !isUnused(former, number) {
            places[number].store(former, ordering: .releasing)
            Self.free(made)
            throw .failed("wiring \(number) is in use")
        }
        // Release: a thread that finds the wiring finds all of it.
        places[number].store(made, ordering: .releasing)
        if let former { Self.free(former) }
    }

    /// True if no thread uses a wiring that has been taken away.
    private func isUnused(_ place: Place, _ number: Int) -> Bool {
        // First the thread that is about to use it: once that one has finished, the other word shows its wiring.
        guard sought.load(ordering: .sequentiallyConsistent) != UInt32(number),
            used.load(ordering: .sequentiallyConsistent) != place
        else { return false }
        // Another thread may have rendered since; then the unit's own thread still sleeps at the former doorbell.
        let deadline = MonotonicClock.now() + Self.longestWaitNanoseconds
        while watched.load(ordering: .sequentiallyConsistent) == place {
            guard MonotonicClock.now() < deadline else { return false }
            Futex.wake(place.pointee.doorbells.own.address)
            Futex.pause(microseconds: 200)
        }
        return true
    }

    private static var longestWaitNanoseconds: UInt64 { 1_000_000_000 }

    /// `[control]` Wakes the unit's own thread.
    func wakeSleeper() {
        if let place = watched.load(ordering: .acquiring) { Futex.wake(place.pointee.doorbells.own.address) }
    }

    /// `[render]` The wiring in use; nil in the host's process.
    var inUse: Place? {
        @_noLocks get { used.load(ordering: .relaxed) }
    }

    /// `[render]` Takes up the wiring of this number; nil if there is none, and then the present one stays in use.
    ///
    /// Only the thread that has claimed the unit calls this.
    @inline(never) @_noLocks
    func takeUp(_ number: UInt32) -> Place? {
        guard number < UInt32(CWireLayout_wiringCount) else { return nil }
        sought.store(number, ordering: .sequentiallyConsistent)
        let found = places[Int(number)].load(ordering: .sequentiallyConsistent)
        if let found { used.store(found, ordering: .sequentiallyConsistent) }
        sought.store(0, ordering: .sequentiallyConsistent)
        return found
    }

    /// `[render]` The wiring in use, which the control thread keeps until the next call.
    ///
    /// Only the unit's own thread calls this, when the wiring in use is not the one that it watches.
    @inline(never) @_noLocks
    func watch() -> Place {
        var place = used.load(ordering: .sequentiallyConsistent)
        while true {
            watched.store(place, ordering: .sequentiallyConsistent)
            let now = used.load(ordering: .sequentiallyConsistent)
            // A unit with a thread of its own began with a wiring.
            if now == place { return place.unsafelyUnwrapped }
            place = now
        }
    }
}
