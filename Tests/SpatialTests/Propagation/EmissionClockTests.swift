// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// By how much the pitch of what moves changes, and that it stays bounded. Test thread.

import Testing

@testable import Spatial

@Suite struct EmissionClockTests {
    private let framesPerMetre = 48_000 / 343.2

    /// The ratios of frequencies, cell by cell, of a source and a listener who move along a line.
    private func ratios(_ cells: Int, _ places: (_ seconds: Double) -> (source: SpacePoint, listener: SpacePoint)) -> [Double] {
        var clock = EmissionClock(longestDelay: 48_000)
        defer { clock.deallocate() }
        let first = places(0)
        clock.begin(first.source, first.listener, framesPerMetre: framesPerMetre)
        return (1...cells).map { cell in
            let (before, next) = (clock.delay, places(Double(cell * 64) / 48_000))
            clock.advance(next.source, next.listener, framesPerMetre: framesPerMetre)
            return 1 - (clock.delay - before) / 64
        }
    }

    @Test(arguments: [34.32, -34.32, 100, -100] as [Double])
    func aSourceThatMovesChangesItsPitchByTheFormula(speed: Double) {
        let ratios = ratios(400) { (SpacePoint(0, 0, -(60 - speed * $0)), SpacePoint(0, 0, 0)) }
        let wanted = 343.2 / (343.2 - speed)
        #expect(ratios.suffix(10).allSatisfy { abs($0 - wanted) < 1e-4 }, "\(ratios.last ?? 0), not \(wanted)")
    }

    @Test(arguments: [34.32, -34.32] as [Double])
    func aListenerWhoMovesHearsAnotherRatio(speed: Double) {
        let ratios = ratios(300) { (SpacePoint(0, 0, -150), SpacePoint(0, 0, -speed * $0)) }
        #expect(ratios.suffix(10).allSatisfy { abs($0 - (1 + speed / 343.2)) < 1e-4 })
    }

    @Test(arguments: [300, 343.2, 400, 1000] as [Double])
    func theSpeedOfSoundIsPassedWithoutABurst(speed: Double) {
        // It comes from 150 m, passes at 3 m, and goes.
        let cells = Int(300 / speed * 750)
        let ratios = ratios(cells + 1500) { seconds in
            (SpacePoint(3, 0, min(150, -150 + speed * seconds)), SpacePoint(0, 0, 0))
        }
        #expect(ratios.allSatisfy { $0 >= 0.5 - 1e-9 && $0 <= 2 + 1e-9 })
        // Where the source stands still at last, its sound has caught up.
        #expect(ratios.suffix(100).allSatisfy { abs($0 - 1) < 1e-6 })
    }

    @Test func aMillionMetresAreBounded() {
        let ratios = ratios(200) { seconds in (SpacePoint(seconds > 0.1 ? 1e6 : 1, 0, 0), SpacePoint(0, 0, 0)) }
        #expect(ratios.allSatisfy { $0.isFinite && $0 >= 0.5 - 1e-9 && $0 <= 2 + 1e-9 })
    }
}
