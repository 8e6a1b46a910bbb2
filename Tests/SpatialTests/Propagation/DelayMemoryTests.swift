// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a delay between two frames does to a tone. Test thread.

import Glibc
import Testing

@testable import Spatial

@Suite struct DelayMemoryTests {
    @Test(arguments: [100, 1000, 5000, 10_000, 16_000] as [Double])
    func aToneIsDelayedByPartsOfAFrame(hertz: Double) {
        var memory = DelayMemory(longestDelay: 2000)
        defer { memory.deallocate() }
        let turn = 2 * Double.pi * hertz / 48_000
        for frame in 0..<3000 {
            var sample = Float(sin(turn * Double(frame)))
            memory.append(&sample, 1)
        }
        var largest = 0.0
        for step in 0..<700 {
            let delay = 16 + Double(step) * 1.37
            let heard = Double(memory.read(2999, delay: delay))
            largest = max(largest, abs(heard - sin(turn * (2999 - delay))))
        }
        #expect(largest < (hertz > 12_000 ? 2e-3 : 3e-4))
    }

    @Test func aDelayIsBoundedAndForgotten() {
        var memory = DelayMemory(longestDelay: 500)
        defer { memory.deallocate() }
        for _ in 0..<2000 {
            var sample: Float = 1
            memory.append(&sample, 1)
        }
        for delay in [-1e9, 0, 400, 1e9, .infinity] as [Double] { #expect(abs(memory.read(1999, delay: delay) - 1) < 1e-5) }
        #expect(memory.isRinging(at: 400))
        memory.forget()
        #expect(memory.read(1999, delay: 400) == 0 && !memory.isRinging(at: 400))
    }
}
