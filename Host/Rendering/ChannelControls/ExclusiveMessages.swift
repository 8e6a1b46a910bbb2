// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The system-exclusive messages that set one instrument as it is. The render thread writes them; control threads read.

import Synchronization

/// The one place where an instrument's tunings, resets and other long messages are kept, in the order in which they came.
///
/// A new process of the instrument gets them before its channels' values, and so does the same instrument in a scene, after undo, and in a
/// resumed session. A message replaces an earlier one that set the same thing; a reset replaces all of its cable. There is no memory until
/// it is opened.
struct ExclusiveMessages: ~Copyable {
    /// The most bytes of one message; a longer one is not kept.
    static var longest: Int { @_noLocks get { 8192 } }
    /// The most words of all messages: one for the length and the cable of each, then eight bytes a word.
    static var capacity: Int { @_noLocks get { 4096 } }

    /// The ways by which messages arrive: each has room for one that is not complete.
    enum Way: Int { case port, command }

    typealias Word = Atomic<UInt64>

    /// The address of the words, with the bytes of incomplete messages behind them; 0 before the memory is opened.
    let words = Atomic<UInt>(0)
    /// The number of bytes that have arrived by each way, also of those that have no room; 0 outside a message.
    private let portCount = Atomic<Int>(0)
    private let commandCount = Atomic<Int>(0)
    /// The cable of the incomplete message of each way.
    private let portCable = Atomic<UInt8>(0)
    private let commandCable = Atomic<UInt8>(0)
    /// The number of words in use.
    let end = Atomic<Int>(0)
    /// Counts the beginnings and the ends of changes: odd while words change.
    let version = Atomic<UInt64>(0)
    /// The number of messages that found no room.
    let droppedCount = Atomic<UInt64>(0)

    deinit { Self.free(words.load(ordering: .acquiring)) }

    private static func free(_ address: UInt) {
        guard let words = UnsafeMutablePointer<Word>(bitPattern: address) else { return }
        words.deinitialize(count: capacity)
        UnsafeMutableRawPointer(words).deallocate()
    }

    /// `[control]` Allocates its memory; a second call does nothing.
    func open() {
        guard words.load(ordering: .acquiring) == 0 else { return }
        let wordByteCount = Self.capacity * MemoryLayout<Word>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: wordByteCount + 2 * Self.longest, alignment: MemoryLayout<Word>.alignment)
        let new = memory.bindMemory(to: Word.self, capacity: Self.capacity)
        for index in 0..<Self.capacity { (new + index).initialize(to: Word(0)) }
        (memory + wordByteCount).initializeMemory(as: UInt8.self, repeating: 0, count: 2 * Self.longest)
        let address = UInt(bitPattern: memory)
        let (isSet, _) = words.compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing)
        if !isSet { Self.free(address) }
    }

    /// The bytes of the incomplete message of a way; nil before the memory is opened.
    @_noLocks
    private func arrivals(_ way: Way) -> UnsafeMutablePointer<UInt8>? {
        guard let words = UnsafeMutableRawPointer(bitPattern: words.load(ordering: .acquiring)) else { return nil }
        let bytes = words + Self.capacity &* MemoryLayout<Word>.stride
        return bytes.assumingMemoryBound(to: UInt8.self) + way.rawValue &* Self.longest
    }

    /// Counts the changes.
    var revision: UInt64 { @_noLocks get { version.load(ordering: .acquiring) } }

    // MARK: Arrival

    /// `[render]` Takes the next byte; true if it ends a message that resets the instrument.
    ///
    /// F0 begins a message anew, and an incomplete one is counted as dropped. Bytes outside a message, those of another cable meanwhile, and
    /// fillers are left out.
    @_noLocks
    func take(_ byte: UInt8, cable: UInt8, by way: Way) -> Bool {
        guard byte != SystemExclusivePacket.filler, let bytes = arrivals(way) else { return false }
        let former = arrivedCount(way)
        if byte == 0xF0 {
            if former > 0 { droppedCount.wrappingAdd(1, ordering: .relaxed) }
            setArrivedCable(cable, way)
        } else if former == 0 || arrivedCable(way) != cable {
            return false
        }
        let count = byte == 0xF0 ? 0 : former
        if count < Self.longest { bytes[count] = byte }
        setArrivedCount(byte == 0xF7 ? 0 : count &+ 1, way)
        return byte == 0xF7 && keep(bytes, count: count &+ 1, cable: cable)
    }

    @_noLocks
    private func arrivedCount(_ way: Way) -> Int {
        switch way {
        case .port: portCount.load(ordering: .relaxed)
        case .command: commandCount.load(ordering: .relaxed)
        }
    }

    @_noLocks
    private func arrivedCable(_ way: Way) -> UInt8 {
        switch way {
        case .port: portCable.load(ordering: .relaxed)
        case .command: commandCable.load(ordering: .relaxed)
        }
    }

    @_noLocks
    private func setArrivedCable(_ cable: UInt8, _ way: Way) {
        switch way {
        case .port: portCable.store(cable, ordering: .relaxed)
        case .command: commandCable.store(cable, ordering: .relaxed)
        }
    }

    @_noLocks
    private func setArrivedCount(_ count: Int, _ way: Way) {
        switch way {
        case .port: portCount.store(count, ordering: .relaxed)
        case .command: commandCount.store(count, ordering: .relaxed)
        }
    }

    /// Keeps a whole message if it sets something that lasts; true if it is a reset.
    @_noLocks
    private func keep(_ bytes: UnsafePointer<UInt8>, count: Int, cable: UInt8) -> Bool {
        guard count <= Self.longest else {
            if ExclusiveSubject(bytes, count: Self.longest).lasts { droppedCount.wrappingAdd(1, ordering: .relaxed) }
            return false
        }
        let (isReset, subject) = (SystemReset.isReset(bytes, count: count), ExclusiveSubject(bytes, count: count))
        // The message that came last changes nothing when it comes again.
        guard subject.lasts, !isLast(bytes, count: count, cable: cable) else { return isReset }
        beginChange()
        removeReplaced(by: bytes, count: count, cable: cable, isReset: isReset, nameCount: subject.nameCount)
        append(bytes, count: count, cable: cable)
        endChange()
        return isReset
    }
}
