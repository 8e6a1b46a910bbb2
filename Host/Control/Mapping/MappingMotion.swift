// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state of a mapping: the position of its knob, whether it has met the value, and the position shown. The MIDI thread.

import Rendering

/// A mapping with the state of its knob.
struct MappingMotion {
    let mapping: ControlMapping
    /// True if the target is a scene or a panic, which has no value.
    let isOfCommand: Bool
    /// The last position; nil before the first one.
    private(set) var position: Int?
    /// True if the knob has met the value since the last change by another source.
    private(set) var isPickedUp = false
    /// The last value that the mapping has given its target.
    private(set) var givenValue: Double?
    /// The place of that value between both ends, of an encoder that sends steps.
    var place: Double?
    private var isPressed = false
    /// The position that the controller shows; nil if it is unknown.
    var shown: Int?
    /// The time until which the user is moving the controller; it gets no messages until then.
    private(set) var restsUntil: UInt64 = 0

    /// The time after its last message for which a knob counts as being turned, in nanoseconds.
    private static let turningTime: UInt64 = 200_000_000

    init(_ mapping: ControlMapping) { (self.mapping, isOfCommand) = (mapping, HostValue.isCommand(mapping.path)) }

    /// Takes a message; returns the new value of the target, or nil if it keeps its own.
    ///
    /// Call it only if `position(of:)` is not nil.
    mutating func take(_ newPosition: Int, present: PresentValue, at now: UInt64) -> Double? {
        let former = position
        (position, restsUntil) = (newPosition, now &+ Self.turningTime)
        guard let value = mapping.source.kind.isRelative ? moved(present) : placed(from: former, present.value) else { return nil }
        let given = present.isInteger ? value.rounded() : value
        (givenValue, shown) = (given, shownPosition(of: given))
        return given
    }

    /// The position in the message; nil for a message of another source.
    func position(of message: MIDIInputMessage, numbered: Int? = nil) -> Int? {
        mapping.source.position(of: message, former: position ?? 0, numbered: numbered)
    }

    private mutating func moved(_ present: PresentValue) -> Double? { mapping.curve.isContinuous ? stepped(present) : switched() }

    private mutating func placed(from former: Int?, _ present: Double) -> Double? {
        mapping.curve.isContinuous ? turned(from: former, present) : pressed(present)
    }

    /// The position that stands for a value on the controller.
    func shownPosition(of value: Double) -> Int {
        // Cannot trap: a position is from 0 to 1.
        Int((mapping.range.position(of: value, mapping.curve) * Double(mapping.source.highestPosition)).rounded())
    }

    /// The value after the turn of a knob.
    private mutating func turned(from former: Int?, _ present: Double) -> Double? {
        let highest = Double(mapping.source.highestPosition)
        let place = Double(position ?? 0) / highest
        // The end of a note is not a velocity of 0.
        if mapping.source.isMomentary, place == 0 { return nil }
        guard mapping.picksUp, mapping.source.isAbsolute else { return mapping.range.value(at: place, mapping.curve) }
        // A little more than a step makes up for rounding.
        let (aim, step) = (mapping.range.position(of: present, mapping.curve), 1.001 / highest)
        if let givenValue, abs(mapping.range.position(of: givenValue, mapping.curve) - aim) > step { isPickedUp = false }
        if !isPickedUp {
            let hasCrossed = former.map { (Double($0) / highest - aim) * (place - aim) <= 0 } ?? false
            isPickedUp = hasCrossed || abs(place - aim) <= step
        }
        return isPickedUp ? mapping.range.value(at: place, mapping.curve) : nil
    }

    /// The value after the press of a key or a button, or after a program.
    private mutating func pressed(_ present: Double) -> Double? {
        let position = position ?? 0
        let isDown = mapping.source.isMomentary ? position > 0 : position * 2 > mapping.source.highestPosition
        let wasDown = isPressed
        // A program is never released.
        isPressed = isDown && mapping.source.kind != .program
        let (low, high) = (mapping.range.minimum, mapping.range.maximum)
        if isOfCommand { return isDown && !wasDown ? 1 : nil }
        guard mapping.curve == .toggle else { return isDown ? high : low }
        guard isDown, !wasDown else { return nil }
        return mapping.range.position(of: present, .toggle) > 0.5 ? low : high
    }
}
