// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values that MIDI has set on the channels of one instrument. The render thread writes them; control threads read.

import Synchronization

/// The one place where an instrument's MIDI state is kept: programs, controllers, bends, and registered parameters.
///
/// A new process of the instrument gets them, and so does the same instrument in a scene, after undo, and in a resumed session. It has
/// no memory until it is opened.
struct ChannelControls: ~Copyable {
    /// The most values of all channels and cables; further ones are not kept.
    static var capacity: Int { @_noLocks get { 1024 } }

    /// The address of the words; 0 before the memory is opened.
    private let words = Atomic<UInt>(0)
    private let count = Atomic<Int>(0)
    /// Counts the changes of values.
    let revision = Atomic<UInt64>(0)
    /// The number of values that found no room.
    let droppedCount = Atomic<UInt64>(0)

    private typealias Word = Atomic<UInt64>

    deinit { Self.free(words.load(ordering: .acquiring)) }

    private static func free(_ address: UInt) {
        guard let words = UnsafeMutablePointer<Word>(bitPattern: address) else { return }
        words.deinitialize(count: capacity)
        words.deallocate()
    }

    /// `[control]` Allocates its memory; a second call does nothing.
    func open() {
        guard words.load(ordering: .acquiring) == 0 else { return }
        let new = UnsafeMutablePointer<Word>.allocate(capacity: Self.capacity)
        for index in 0..<Self.capacity { (new + index).initialize(to: Word(0)) }
        let address = UInt(bitPattern: new)
        let (isSet, _) = words.compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing)
        if !isSet { Self.free(address) }
    }

    /// The value at an index below `valueCount`.
    @_noLocks
    func control(at index: Int) -> ChannelControl {
        guard let words = UnsafeMutablePointer<Word>(bitPattern: words.load(ordering: .acquiring)) else {
            return ChannelControl(word: 0)
        }
        // Relaxed: each value stands alone.
        return ChannelControl(word: words[index].load(ordering: .relaxed))
    }

    /// The number of values, including those that were reset.
    var valueCount: Int {
        // Acquire: the words are written.
        @_noLocks get { count.load(ordering: .acquiring) }
    }

    /// `[render]` Keeps what a message sets.
    @_noLocks
    func keep(_ message: DueMessage) {
        let (cable, channel) = (message.cable, message.status & 15)
        switch message.status >> 4 {
        case 0xB: keepController(message.data1, message.data2, cable, channel)
        case 0xC: set(ChannelControl.subject(cable: cable, channel: channel, Kind.program), UInt16(message.data1))
        case 0xD: set(ChannelControl.subject(cable: cable, channel: channel, Kind.pressure), UInt16(message.data1))
        case 0xE:
            let bend = UInt16(message.data2) << 7 | UInt16(message.data1)
            set(ChannelControl.subject(cable: cable, channel: channel, Kind.bend), bend)
        default: break
        }
    }

    /// `[render]` Notes that all pedals that hold notes are up.
    @_noLocks
    func liftPedals() {
        for index in 0..<valueCount where control(at: index).isPedal { store(control(at: index).subject, 0, at: index) }
    }

    /// `[render]` Forgets all values of a cable, because a message has reset everything.
    @_noLocks
    func forget(cable: UInt8) {
        for index in 0..<valueCount where control(at: index).cable == cable { store(control(at: index).subject, nil, at: index) }
    }

    private typealias Kind = ChannelControl.Kind

    @_noLocks
    private func keepController(_ number: UInt8, _ value: UInt8, _ cable: UInt8, _ channel: UInt8) {
        switch number {
        case 6: setParameter(upper: value, lower: nil, cable, channel)
        case 38: setParameter(upper: nil, lower: value, cable, channel)
        case 98, 99: select(value, isRegistered: false, isUpper: number == 99, cable, channel)
        case 100, 101: select(value, isRegistered: true, isUpper: number == 101, cable, channel)
        case 121: reset(cable, channel)
        // The source of one glide; steps, whose result the instrument alone knows.
        case 84, 96, 97: break
        // Mono and poly: the one ends the other.
        case 126, 127:
            forgetValue(Self.controller(number == 126 ? 127 : 126, cable, channel))
            set(Self.controller(number, cable, channel), UInt16(value))
        case 0..<120: set(Self.controller(number, cable, channel), UInt16(value))
        default: break
        }
    }

    @_noLocks
    private static func controller(_ number: UInt8, _ cable: UInt8, _ channel: UInt8) -> UInt64 {
        ChannelControl.subject(cable: cable, channel: channel, Kind.controller, UInt64(number))
    }

    @_noLocks
    private static func selection(_ isRegistered: Bool, _ cable: UInt8, _ channel: UInt8) -> UInt64 {
        ChannelControl.subject(cable: cable, channel: channel, Kind.selection, isRegistered ? 1 : 0)
    }

    /// Chooses half of the number of the parameter that data entry sets.
    @_noLocks
    private func select(_ half: UInt8, isRegistered: Bool, isUpper: Bool, _ cable: UInt8, _ channel: UInt8) {
        let (own, other) = (Self.selection(isRegistered, cable, channel), Self.selection(!isRegistered, cable, channel))
        let former = value(of: own) ?? ChannelControl.noParameter
        let number = isUpper ? former & 0x7F | UInt16(half) << 7 : former & 0x3F80 | UInt16(half)
        if let value = value(of: other) { set(other, value & ~ChannelControl.isLast) }
        set(own, number & 0x3FFF | ChannelControl.isLast)
    }

    /// Sets a half of the parameter that was chosen last, if there is one.
    @_noLocks
    private func setParameter(upper: UInt8?, lower: UInt8?, _ cable: UInt8, _ channel: UInt8) {
        guard let parameter = chosenParameter(cable, channel) else { return }
        let subject = ChannelControl.subject(cable: cable, channel: channel, Kind.parameter, parameter)
        var value = value(of: subject) ?? 0
        if let upper { value = value & ~0x3F80 | UInt16(upper) << 7 | ChannelControl.hasUpper }
        if let lower { value = value & ~0x7F | UInt16(lower) | ChannelControl.hasLower }
        set(subject, value)
    }

    /// The number of the parameter that data entry sets; nil for none.
    @_noLocks
    private func chosenParameter(_ cable: UInt8, _ channel: UInt8) -> UInt64? {
        if let number = lastChoice(isRegistered: true, cable, channel) { return number | ChannelControl.registered }
        return lastChoice(isRegistered: false, cable, channel)
    }

    @_noLocks
    private func lastChoice(isRegistered: Bool, _ cable: UInt8, _ channel: UInt8) -> UInt64? {
        guard let chosen = value(of: Self.selection(isRegistered, cable, channel)), chosen & ChannelControl.isLast != 0 else {
            return nil
        }
        return chosen & 0x3FFF == ChannelControl.noParameter ? nil : UInt64(chosen & 0x3FFF)
    }

    /// Resets the controllers of a channel; no parameter is chosen then.
    @_noLocks
    private func reset(_ cable: UInt8, _ channel: UInt8) {
        for index in 0..<valueCount {
            let control = control(at: index)
            guard control.cable == cable, control.channel == channel, !control.survivesReset else { continue }
            let isSelection = control.kind == Kind.selection
            let former = control.value ?? 0
            store(control.subject, isSelection ? ChannelControl.noParameter | former & ChannelControl.isLast : nil, at: index)
        }
    }

    // MARK: Words

    @_noLocks
    private func index(of subject: UInt64) -> Int? {
        for index in 0..<valueCount where control(at: index).subject == subject { return index }
        return nil
    }

    @_noLocks
    private func value(of subject: UInt64) -> UInt16? {
        guard let index = index(of: subject) else { return nil }
        return control(at: index).value
    }

    @_noLocks
    private func forgetValue(_ subject: UInt64) { if let index = index(of: subject) { store(subject, nil, at: index) } }

    @_noLocks
    private func set(_ subject: UInt64, _ value: UInt16) {
        if let index = index(of: subject) { return store(subject, value, at: index) }
        let end = valueCount
        guard end < Self.capacity, words.load(ordering: .relaxed) != 0 else {
            droppedCount.wrappingAdd(1, ordering: .relaxed)
            return
        }
        store(subject, value, at: end)
        // Release: the word is written.
        count.store(end &+ 1, ordering: .releasing)
    }

    @_noLocks
    private func store(_ subject: UInt64, _ value: UInt16?, at index: Int) {
        guard let words = UnsafeMutablePointer<Word>(bitPattern: words.load(ordering: .acquiring)) else { return }
        let word = ChannelControl(subject: subject, value: value).word
        guard words[index].load(ordering: .relaxed) != word else { return }
        words[index].store(word, ordering: .relaxed)
        revision.wrappingAdd(1, ordering: .relaxed)
    }
}
