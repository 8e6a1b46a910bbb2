// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Hands values to the render thread, and takes back the replaced ones. Control threads and the render thread.

import Synchronization

/// The way of a value, such as a plan or a table, to the render thread and back.
///
/// The newest value counts: it replaces one that the render thread has not taken yet. Neither side waits for the other. One
/// control thread at a time calls the functions of its side, and one render thread those of its own.
struct HandOver<Value: ~Copyable>: ~Copyable {
    /// The address of a value, until the control side frees it.
    typealias Place = UnsafeMutablePointer<Value>

    /// The part that the render thread uses.
    let passage = HandOverPassage()

    deinit {
        _ = takeBack()
        collect { _ in }
    }

    /// `[control]` Makes a value the newest one, and returns the replaced one if the render thread has not taken it.
    @discardableResult
    func offer(_ value: consuming Value) -> Value? {
        let place = HandOverPassage.allocate(byteCount: MemoryLayout<Value>.stride).bindMemory(to: Value.self, capacity: 1)
        place.initialize(to: value)
        // Release: the value is complete.
        return Self.free(Place(bitPattern: passage.pending.exchange(UInt(bitPattern: place), ordering: .acquiringAndReleasing)))
    }

    /// `[control]` Takes the newest value back, unless the render thread was faster.
    func takeBack() -> Value? { Self.free(Place(bitPattern: passage.pending.exchange(0, ordering: .acquiring))) }

    /// `[control]` Reads the newest value, unless the render thread has taken it.
    func withPending<Result>(_ body: (borrowing Value) -> Result) -> Result? {
        guard let place = Place(bitPattern: passage.pending.load(ordering: .acquiring)) else { return nil }
        return body(place.pointee)
    }

    /// `[control]` Takes the values that the render thread has given back.
    func collect(_ body: (consuming Value) -> Void) {
        var next = passage.retired.exchange(0, ordering: .acquiring)
        while let place = Place(bitPattern: next) {
            next = HandOverPassage.header(of: place).load(as: UInt.self)
            if let value = Self.free(place) { body(value) }
        }
    }

    /// `[control]` Frees a place, and returns the value.
    static func free(_ place: Place?) -> Value? {
        guard let place else { return nil }
        defer { HandOverPassage.header(of: place).deallocate() }
        return place.move()
    }
}

/// The render side of a hand-over, which knows only addresses: no function of it depends on the type of the value.
struct HandOverPassage: ~Copyable {
    /// The newest value, until the render thread takes it; then the values that it has given back.
    fileprivate let pending = Atomic<UInt>(0)
    fileprivate let retired = Atomic<UInt>(0)

    /// The bytes before a value; they begin with the address of the value that was given back before.
    private static var headerByteCount: Int { @_noLocks get { 16 } }

    /// `[control]` Allocates memory for a value behind its header.
    fileprivate static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
        .allocate(byteCount: headerByteCount + byteCount, alignment: headerByteCount) + headerByteCount
    }

    @_noLocks
    fileprivate static func header(of place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer { place - headerByteCount }

    /// `[render]` Takes the newest value, once.
    @_noLocks
    func take() -> UnsafeMutableRawPointer? {
        guard pending.load(ordering: .relaxed) != 0 else { return nil }
        // Acquire: the value is complete.
        return UnsafeMutableRawPointer(bitPattern: pending.exchange(0, ordering: .acquiring))
    }

    /// `[render]` Gives back a value that is no longer used.
    @_noLocks
    func giveBack(_ place: UnsafeMutableRawPointer) {
        // The control thread takes all of them at once.
        var first = retired.load(ordering: .relaxed)
        while true {
            Self.header(of: place).storeBytes(of: first, as: UInt.self)
            // Release: this thread is done with the value.
            let (isDone, present) = retired.compareExchange(
                expected: first, desired: UInt(bitPattern: place), ordering: .releasing)
            if isDone { return }
            first = present
        }
    }
}
