// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A mapping while it is used: where the knob is, whether it has met the value, and what the controller shows. The MIDI thread.

import Rendering

/// A mapping and where its knob is.
struct MappingMotion {
    let mapping: ControlMapping
    /// Whether a scene is gone to, which has no value to move.
    private let isOfScene: Bool
    /// The position that came last; nil before one has come.
    private(set) var position: Int?
    /// Whether the knob has met the value since another hand moved it.
    private(set) var isPickedUp = false
    /// The value that the mapping has given its target last.
    private var givenValue: Double?
    private var isPressed = false
    /// The position that the controller shows; nil where it is unknown.
    var shown: Int?
    /// Until when the controller is being moved, so that it is told nothing.
    private(set) var restsUntil: UInt64 = 0

    /// How long after its last message a knob counts as being turned, in nanoseconds.
    private static let turningTime: UInt64 = 200_000_000

    init(_ mapping: ControlMapping) { (self.mapping, isOfScene) = (mapping, HostValue.sceneName(mapping.path) != nil) }

    /// Takes a message; returns the value that the target gets, or nil if it keeps its own.
    ///
    /// Call it only where `position(of:)` is not nil.
    mutating func take(_ newPosition: Int, present: PresentValue, at now: UInt64) -> Double? {
        let former = position
        (position, restsUntil) = (newPosition, now &+ Self.turningTime)
        guard let value = mapping.curve.isContinuous ? turned(from: former, present.value) : pressed(present.value) else {
            return nil
        }
        let given = present.isInteger ? value.rounded() : value
        (givenValue, shown) = (given, shownPosition(of: given))
        return given
    }

    /// The position of the message, if it is one of this mapping's source.
    func position(of message: MIDIInputMessage) -> Int? { mapping.source.position(of: message, former: position ?? 0) }

    /// The position that stands for a value on the controller.
    func shownPosition(of value: Double) -> Int {
        Int((mapping.range.position(of: value, mapping.curve) * Double(mapping.source.highestPosition)).rounded())
    }

    /// What a knob does.
    private mutating func turned(from former: Int?, _ present: Double) -> Double? {
        let highest = Double(mapping.source.highestPosition)
        let place = Double(position ?? 0) / highest
        // The end of a note is no velocity.
        if mapping.source.isMomentary, place == 0 { return nil }
        guard mapping.picksUp, mapping.source.isAbsolute else { return mapping.range.value(at: place, mapping.curve) }
        // A little more than a step, for what rounding takes away.
        let (aim, step) = (mapping.range.position(of: present, mapping.curve), 1.001 / highest)
        if let givenValue, abs(mapping.range.position(of: givenValue, mapping.curve) - aim) > step { isPickedUp = false }
        if !isPickedUp {
            let hasCrossed = former.map { (Double($0) / highest - aim) * (place - aim) <= 0 } ?? false
            isPickedUp = hasCrossed || abs(place - aim) <= step
        }
        return isPickedUp ? mapping.range.value(at: place, mapping.curve) : nil
    }

    /// What a key, a button or a program does.
    private mutating func pressed(_ present: Double) -> Double? {
        let position = position ?? 0
        let isDown = mapping.source.isMomentary ? position > 0 : position * 2 > mapping.source.highestPosition
        let wasDown = isPressed
        // A program is never let go.
        isPressed = isDown && mapping.source.kind != .program
        let (low, high) = (mapping.range.minimum, mapping.range.maximum)
        if isOfScene { return isDown && !wasDown ? 1 : nil }
        guard mapping.curve == .toggle else { return isDown ? high : low }
        guard isDown, !wasDown else { return nil }
        return mapping.range.position(of: present, .toggle) > 0.5 ? low : high
    }
}
