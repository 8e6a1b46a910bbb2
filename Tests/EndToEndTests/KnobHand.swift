// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A hand that looks for knobs in a window which it does not know, and turns them until a turn is heard. Test thread.

import Foundation
import Testing

/// A parameter that the mouse has changed, and what of it was heard.
struct KnobTurn {
    let path: String
    let from, to: Double
    let difference: Difference
}

/// Tries places of a window by dragging and by the wheel.
struct KnobHand {
    private let plugin: RealWindow
    private let watch: ParameterWatch
    private let size: (width: Int, height: Int)
    /// What the sound varies by itself: two measurements without a turn.
    let control: Measurement
    /// What was heard last.
    private(set) var heard: Measurement
    /// The parameters that were turned, and what the best of each was.
    private(set) var turns: [KnobTurn] = []
    private(set) var placeCount = 0

    /// The most places, the most parameters, and the most seconds to try.
    private static let (mostPlaces, mostKnobs, patience) = (250, 12, 240.0)
    /// The places that are tried without a click, which may open a menu.
    private static let placesBeforeClicks = 40
    /// The microseconds after which a turn has reached the host, and the host's word this test.
    private static let delay: UInt32 = 120_000

    init(_ plugin: RealWindow, _ watch: ParameterWatch) throws {
        (self.plugin, self.watch, size) = (plugin, watch, try plugin.size())
        heard = try plugin.measure()
        control = try heard + plugin.measure()
        // What the window sets by itself when it opens is not the hand's.
        _ = try watch.changes()
    }

    /// Looks for knobs until a turn is heard; nil if none is.
    mutating func search() throws -> KnobTurn? {
        let deadline = ContinuousClock.now + .seconds(Self.patience)
        while placeCount < Self.mostPlaces, turns.count < Self.mostKnobs, ContinuousClock.now < deadline {
            let (x, y) = place(placeCount)
            placeCount += 1
            // What opens at a click is closed again.
            if placeCount % 20 == 0 { try plugin.screen.press("Escape") }
            guard let change = try firstChange(x, y) else { continue }
            if turns.contains(where: { $0.path == change.path }) {
                heard = try plugin.measure()
                continue
            }
            let turn = try listen(change, x, y)
            turns.append(turn)
            if turn.difference.isHeard { return turn }
        }
        return nil
    }

    /// The places lie evenly however many are tried: each step adds the powers of a root of x³ = x + 1, without what is whole.
    private func place(_ number: Int) -> (x: Int, y: Int) {
        let (stepX, stepY) = (0.754877666, 0.569840291)
        let x = (0.5 + stepX * Double(number + 1)).truncatingRemainder(dividingBy: 1)
        let y = (0.5 + stepY * Double(number + 1)).truncatingRemainder(dividingBy: 1)
        return (Int(x * Double(size.width)), Int(y * Double(size.height)))
    }

    /// Drags a little up and down at a place, then turns the wheel there; what changes most.
    ///
    /// A knob at one end of its range moves in one direction alone.
    private func firstChange(_ x: Int, _ y: Int) throws -> ParameterWatch.Change? {
        try plugin.screen.drag(x, y, up: 24, -24)
        try plugin.screen.wheel(x, y, up: 3)
        // Some knobs do nothing until a button is pressed.
        if placeCount > Self.placesBeforeClicks { try plugin.screen.click(x, y) }
        usleep(Self.delay)
        return try watch.changes().first
    }

    /// Turns far up and, if that is not heard, far down, and measures what has changed.
    private mutating func listen(_ change: ParameterWatch.Change, _ x: Int, _ y: Int) throws -> KnobTurn {
        let before = heard
        var best: KnobTurn?
        let farther: [() throws -> Void] = [
            { [plugin] in
                try plugin.screen.drag(x, y, up: 150)
                try plugin.screen.wheel(x, y, up: 15)
            },
            { [plugin] in
                try plugin.screen.drag(x, y, up: -300)
                try plugin.screen.wheel(x, y, up: -30)
            },
        ]
        for turnFarther in farther {
            try turnFarther()
            usleep(Self.delay)
            _ = try watch.changes()
            heard = try plugin.measure()
            let difference = Difference(from: before, to: heard, control: control)
            let value = watch.value(change.path) ?? change.to
            let turn = KnobTurn(path: change.path, from: change.from, to: value, difference: difference)
            if difference.isHeard { return turn }
            if abs(difference.decibels) >= abs(best?.difference.decibels ?? 0) { best = turn }
        }
        return try #require(best)
    }
}
