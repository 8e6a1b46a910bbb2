// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arithmetic under the figures of `measure`. Any thread.

import Console
import PluginHosting
import Testing

@testable import Measuring

@Suite struct MeasureDistributionTests {
    @Test func percentilesAreTheNearestRankAbove() {
        let hundred = Distribution((1...100).reversed())
        #expect(hundred.percentile(0.5) == 50)
        #expect(hundred.percentile(0.99) == 99)
        #expect(hundred.percentile(0.999) == 100)
        #expect(hundred.percentile(0) == 1)
        #expect(hundred.percentile(1) == 100)
    }

    @Test func oneValueIsEveryPercentileAndNoneIsZero() {
        #expect([0, 0.5, 0.99, 1].allSatisfy { Distribution([7]).percentile($0) == 7 })
        #expect(Distribution([UInt32]()).percentile(0.5) == 0)
    }

    @Test func whatIsReportedIsInMicroseconds() {
        let times = Distribution([1500, 2500, 500]).microseconds
        #expect(times.minUs == 0.5 && times.p50us == 1.5 && times.p99us == 2.5 && times.p999us == 2.5 && times.maxus == 2.5)
    }

    @Test func everyValueIsInABinAndStraysAreInTheOutermost() {
        let bins = Distribution([1, 10, 11, 100, 1000, 5000]).histogram(from: 10, to: 1000, binCount: 2)
        #expect(bins == [3, 3])
    }

    @Test func aFlatRangeDoesNotDivideByZero() {
        #expect(Distribution([5, 5, 5]).histogram(from: 5, to: 5, binCount: 3).reduce(0, +) == 3)
    }

    @Test func theHighestBinIsTheHighestBarAndAnEmptyOneIsBlank() {
        #expect(Sparkline.text([0, 1, 100]) == " ▁█")
        #expect(Sparkline.text([0, 0]) == "  ")
    }

    @Test(arguments: [
        (1.0, 2, "1.00"), (0.05, 1, "0.1"), (12.345, 2, "12.35"), (-0.004, 2, "0.00"), (-1.5, 1, "-1.5"), (7, 0, "7"),
    ])
    func numbersHaveTheirDigits(value: Double, count: Int, text: String) { #expect(value.digits(count) == text) }

    @Test func aQuietFloorIsTrustedAndAScatteredOneIsNot() {
        let quiet = Distribution([UInt32](repeating: 4000, count: 1000) + [9000])
        #expect(MeasureNoise(floor: quiet, batchMedians: Distribution([3900, 4000, 4100])).isTrustworthy)
        #expect(!MeasureNoise(floor: quiet, batchMedians: Distribution([3000, 4000, 6000])).isTrustworthy)
        let tail = Distribution([UInt32](repeating: 4000, count: 900) + [UInt32](repeating: 40_000, count: 100))
        #expect(!MeasureNoise(floor: tail, batchMedians: Distribution([4000])).isTrustworthy)
        #expect(!MeasureNoise(floor: quiet, batchMedians: Distribution([4000]), missedShare: 0.01).isTrustworthy)
    }

    @Test func theVerdictNamesWhatThereWasTooMuchOf() {
        let quiet = Distribution([UInt32](repeating: 4000, count: 1000))
        let calm = MeasureNoise(floor: quiet, batchMedians: Distribution([4000]))
        #expect(calm.verdict(ofRows: 4, noisy: 0).hasPrefix("This machine was quiet enough"))
        let stolen = MeasureNoise(floor: quiet, batchMedians: Distribution([4000]), stolenShare: 0.05)
        #expect(!stolen.isTrustworthy)
        let all = "too noisy for the figures to be trusted: at worst 5.0 % of the processors' time was given to other machines."
        #expect(stolen.verdict(ofRows: 4, noisy: 4) == "This machine was \(all)")
        let scattered = MeasureNoise(floor: quiet, batchMedians: Distribution([3000, 4000, 6000]), missedShare: 0.01)
        let worst = MeasureNoise(worstOf: [calm, scattered])
        #expect(!worst.isTrustworthy && worst.missedShare == 0.01)
        let some = "at worst the floor's batches' medians lay 75 % apart and 1.00 % of a row's cycles missed their deadline."
        #expect(worst.verdict(ofRows: 4, noisy: 1) == "This machine was too noisy for 1 of the 4 rows to be trusted: \(some)")
    }

    @Test func privateMemoryIsWhatNobodyCanShare() {
        let rollup = """
            55d0c0000000-7ffd00000000 ---p 00000000 00:00 0    [rollup]
            Rss:                6000 kB
            Pss:                3890 kB
            Pss_Dirty:           700 kB
            Shared_Clean:       2000 kB
            Private_Clean:      2900 kB
            Private_Dirty:       720 kB
            Anonymous:           700 kB
            """
        let memory = ProcessMemory(rollup: rollup)
        #expect(memory.privateKiB == 700 && memory.unsharedFileKiB == 2920 && memory.proportionalKiB == 3890)
    }
}
