// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options of an instance in LV2's form. Control thread.

import CLV2Shims
import CLilv

/// The options of an instance, such as block lengths and sample rate.
///
/// They live as long as the instance and never change: another rate or length requires another instance. So the bridge never
/// calls a plug-in's options interface.
final class Options {
    static let offered: Set<String> = Set(
        ["minBlockLength", "maxBlockLength", "nominalBlockLength", "sequenceSize"].map { Names.bufSize + $0 }
            + [Names.parameters + "sampleRate"])

    private let options: UnsafeMutablePointer<LV2_Options_Option>
    private let integers: UnsafeMutablePointer<Int32>
    private let rate: UnsafeMutablePointer<Float>

    var feature: UnsafeMutableRawPointer { UnsafeMutableRawPointer(options) }

    /// Makes the options; `frameCounts` are the shortest and the longest block.
    init(sampleRate: Double, frameCounts: ClosedRange<Int>, sequenceByteCount: Int) {
        integers = .allocate(capacity: 4)
        rate = .allocate(capacity: 1)
        rate.initialize(to: Float(sampleRate))
        options = .allocate(capacity: 6)
        let names = ["minBlockLength", "maxBlockLength", "nominalBlockLength", "sequenceSize"]
        let values = [frameCounts.lowerBound, frameCounts.upperBound, frameCounts.upperBound, sequenceByteCount]
        for (index, name) in names.enumerated() {
            (integers + index).initialize(to: Int32(clamping: values[index]))
            (options + index).initialize(
                to: Self.option(Names.bufSize + name, CLV2Shims_vocabulary().pointee.intType, integers + index))
        }
        (options + 4).initialize(
            to: Self.option(Names.parameters + "sampleRate", CLV2Shims_vocabulary().pointee.floatType, rate))
        (options + 5).initialize(to: LV2_Options_Option())
    }

    deinit {
        options.deallocate()
        integers.deallocate()
        rate.deallocate()
    }

    private static func option(_ key: String, _ type: UInt32, _ value: UnsafeRawPointer) -> LV2_Options_Option {
        LV2_Options_Option(
            context: LV2_OPTIONS_INSTANCE, subject: 0, key: CLV2Shims_map(key), size: 4, type: type, value: value)
    }
}
