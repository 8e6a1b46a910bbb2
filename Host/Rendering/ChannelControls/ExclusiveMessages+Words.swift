// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The words in which an instrument's system-exclusive messages are kept. The render thread writes them; control threads read.

import Synchronization

extension ExclusiveMessages {
    /// A message among the words: one word of facts, and then its bytes, eight a word.
    struct Record: BitwiseCopyable {
        let place: Int
        let byteCount: Int
        let cable: UInt8

        @_noLocks
        init(place: Int, header: UInt64) {
            (self.place, byteCount) = (place, Int(truncatingIfNeeded: header & 0xFFFF))
            cable = UInt8(truncatingIfNeeded: header >> 16)
        }

        /// The place of the next message.
        var end: Int { @_noLocks get { place &+ Self.wordCount(byteCount) } }

        @_noLocks static func header(byteCount: Int, cable: UInt8) -> UInt64 { UInt64(byteCount) | UInt64(cable) << 16 }

        @_noLocks static func wordCount(_ byteCount: Int) -> Int { 1 &+ (byteCount &+ 7) / 8 }
    }

    @_noLocks
    private func word(_ index: Int) -> UInt64 {
        guard let words = UnsafeMutablePointer<Word>(bitPattern: words.load(ordering: .acquiring)), index >= 0,
            index < Self.capacity
        else {
            return 0
        }
        // Relaxed: the version tells whether the words belong together.
        return words[index].load(ordering: .relaxed)
    }

    @_noLocks
    private func set(_ index: Int, _ word: UInt64) {
        guard let words = UnsafeMutablePointer<Word>(bitPattern: words.load(ordering: .acquiring)) else { return }
        words[index].store(word, ordering: .relaxed)
    }

    /// The message at a place; nil behind the last one.
    @_noLocks
    func record(at place: Int) -> Record? {
        let end = end.load(ordering: .acquiring)
        guard place < end else { return nil }
        let record = Record(place: place, header: word(place))
        return record.end <= end ? record : nil
    }

    /// A byte of a message; a filler behind its end.
    @_noLocks
    func byte(_ index: Int, of record: Record) -> UInt8 {
        guard index < record.byteCount else { return SystemExclusivePacket.filler }
        return UInt8(truncatingIfNeeded: word(record.place &+ 1 &+ index / 8) >> UInt64(8 &* (index & 7)))
    }

    /// True if a message has these bytes at its beginning.
    @_noLocks
    func begins(_ record: Record, with bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
        for index in 0..<max(0, count) where byte(index, of: record) != bytes[index] { return false }
        return true
    }

    /// True if the last message of all is this one.
    @_noLocks
    func isLast(_ bytes: UnsafePointer<UInt8>, count: Int, cable: UInt8) -> Bool {
        var (place, last) = (0, Record?.none)
        while let record = record(at: place) { (place, last) = (record.end, record) }
        guard let last, last.byteCount == count, last.cable == cable else { return false }
        return begins(last, with: bytes, count: count)
    }

    @_noLocks
    func beginChange() {
        version.wrappingAdd(1, ordering: .relaxed)
        // Release: a thread that reads a changed word also reads the odd version.
        atomicMemoryFence(ordering: .releasing)
    }

    @_noLocks func endChange() { version.wrappingAdd(1, ordering: .releasing) }

    /// Takes out the messages that a new one replaces; the others move up, in one pass.
    @_noLocks
    func removeReplaced(by bytes: UnsafePointer<UInt8>, count: Int, cable: UInt8, isReset: Bool, nameCount: Int) {
        var (place, kept) = (0, 0)
        while let record = record(at: place) {
            place = record.end
            let isReplaced = isReset || record.byteCount == count && begins(record, with: bytes, count: nameCount)
            if record.cable == cable, isReplaced { continue }
            if kept != record.place {
                for index in record.place..<record.end { set(kept &+ index &- record.place, word(index)) }
            }
            kept &+= record.end &- record.place
        }
        end.store(kept, ordering: .releasing)
    }

    /// Puts a message behind all others, or counts it if there is no room.
    @_noLocks
    func append(_ bytes: UnsafePointer<UInt8>, count: Int, cable: UInt8) {
        let place = end.load(ordering: .relaxed)
        let end = place &+ Record.wordCount(count)
        guard end <= Self.capacity, words.load(ordering: .relaxed) != 0 else {
            droppedCount.wrappingAdd(1, ordering: .relaxed)
            return
        }
        set(place, Record.header(byteCount: count, cable: cable))
        for start in stride(from: 0, to: count, by: 8) {
            var word: UInt64 = 0
            for index in 0..<min(8, count &- start) { word |= UInt64(bytes[start &+ index]) << UInt64(8 &* index) }
            set(place &+ 1 &+ start / 8, word)
        }
        self.end.store(end, ordering: .releasing)
    }

    /// `[control]` All messages, in their order.
    var messages: [StateMessage] {
        while true {
            let before = version.load(ordering: .acquiring)
            var (place, messages) = (0, [StateMessage]())
            while let record = record(at: place), record.end > place {
                messages.append(StateMessage(cable: record.cable, bytes: (0..<record.byteCount).map { byte($0, of: record) }))
                place = record.end
            }
            // Acquire: the words were read before the version is.
            atomicMemoryFence(ordering: .acquiring)
            if before & 1 == 0, version.load(ordering: .relaxed) == before { return messages }
        }
    }
}
