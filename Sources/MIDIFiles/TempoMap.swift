// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Beats, seconds and ticks of a song whose tempo changes. Any thread.

/// Where each beat of a song lies in time.
///
/// `[any]` Before the first change the tempo is 120 quarter notes a minute, and after the last one it stays. Sums are whole numbers
/// of ticks times microseconds, so that a late change is as exact as an early one.
public struct TempoMap: Hashable, Sendable {
    /// A stretch of constant tempo.
    private struct Stretch: Hashable {
        let tick: Int
        let microsecondsPerQuarter: Int
        /// Ticks times microseconds for each quarter note, from the song's start on.
        let elapsed: Int
    }

    private static let defaultTempo = 500_000
    /// The last tick of a song: at 960 ticks in a quarter note and 120 of these a minute, it plays for 25 days.
    static let lastTick = 1 << 32
    private let stretches: [Stretch]
    private let numerator: Double
    private let denominator: Double

    /// Makes the map of these changes.
    ///
    /// Of several at one tick the last one counts. Changes outside of the ranges of a file are left out, and all of them where ticks
    /// follow a time code.
    public init(division: MIDIDivision, changes: [MIDITempoChange] = []) {
        (numerator, denominator) = division.ticksPerQuarter
        var stretches = [Stretch(tick: 0, microsecondsPerQuarter: Self.defaultTempo, elapsed: 0)]
        for change in division.isTimecode ? [] : changes.sortedByTick(\.tick) {
            let isValid = (0...Self.lastTick).contains(change.tick) && (1...0xFF_FFFF).contains(change.microsecondsPerQuarter)
            guard isValid, let last = stretches.last else { continue }
            // Below 2^32 ticks times 2^24 µs, so that no sum overflows.
            let elapsed = last.elapsed + (change.tick - last.tick) * last.microsecondsPerQuarter
            if last.tick == change.tick { stretches.removeLast() }
            stretches.append(
                Stretch(tick: change.tick, microsecondsPerQuarter: change.microsecondsPerQuarter, elapsed: elapsed))
        }
        self.stretches = stretches
    }

    /// The changes, the first one at tick 0.
    public var changes: [MIDITempoChange] {
        stretches.map { MIDITempoChange(tick: $0.tick, microsecondsPerQuarter: $0.microsecondsPerQuarter) }
    }

    /// The length of a quarter note at a tick, in microseconds.
    public func microsecondsPerQuarter(atTick tick: Int) -> Int { last { $0.tick <= tick }.microsecondsPerQuarter }

    /// The time of a tick in seconds.
    public func seconds(atTick tick: Int) -> Double { seconds(ticks: Double(tick)) }

    /// The number of quarter notes before a tick.
    public func beat(atTick tick: Int) -> Double { Double(tick) * denominator / numerator }

    /// The time of a beat in seconds; beats are quarter notes since the song's start.
    public func seconds(atBeat beat: Double) -> Double { seconds(ticks: beat * numerator / denominator) }

    /// The beat at a time in seconds, in quarter notes since the song's start.
    public func beat(atSeconds seconds: Double) -> Double {
        let elapsed = seconds * 1e6 * numerator / denominator
        let stretch = last { Double($0.elapsed) <= elapsed }
        let ticks = Double(stretch.tick) + (elapsed - Double(stretch.elapsed)) / Double(stretch.microsecondsPerQuarter)
        return ticks * denominator / numerator
    }

    private func seconds(ticks: Double) -> Double {
        let stretch = last { Double($0.tick) <= ticks }
        let elapsed = Double(stretch.elapsed) + (ticks - Double(stretch.tick)) * Double(stretch.microsecondsPerQuarter)
        return elapsed * denominator / (numerator * 1e6)
    }

    /// The last stretch that has begun; the first one where none has.
    private func last(_ hasBegun: (Stretch) -> Bool) -> Stretch {
        var (low, high) = (0, stretches.count)
        while low < high {
            let middle = (low + high) / 2
            if hasBegun(stretches[middle]) { low = middle + 1 } else { high = middle }
        }
        return stretches[max(0, low - 1)]
    }
}
