// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The features that a plug-in is handed, as LV2 wants them: arrays that end with null. Control thread.

import CLV2Shims
import CLilv
import Glibc
import PluginSDK

/// A list of features at a fixed address.
final class Features {
    private let entries: UnsafeMutablePointer<LV2_Feature>
    private let count: Int
    private let list: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>

    init(_ features: [(uri: String, data: UnsafeMutableRawPointer?)]) {
        count = features.count
        entries = .allocate(capacity: max(1, count))
        list = .allocate(capacity: count + 1)
        for (index, feature) in features.enumerated() {
            (entries + index).initialize(to: LV2_Feature(URI: strdup(feature.uri), data: feature.data))
            (list + index).initialize(to: UnsafePointer(entries + index))
        }
        (list + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { free(UnsafeMutablePointer(mutating: entries[index].URI)) }
        entries.deallocate()
        list.deallocate()
    }

    /// Null at the end; good for as long as the object is there.
    var pointer: UnsafePointer<UnsafePointer<LV2_Feature>?> { UnsafePointer(list) }

    /// Calls `body` with a list of features that lasts as long as the call.
    static func with<Value>(
        _ features: [(uri: String, data: UnsafeMutableRawPointer?)],
        _ body: (UnsafePointer<UnsafePointer<LV2_Feature>?>) -> Value
    ) -> Value {
        let list = Features(features)
        return withExtendedLifetime(list) { body(list.pointer) }
    }

    /// Everything that a plug-in may require.
    static let offered: Set<String> = Set(
        ["inPlaceBroken", "hardRTCapable", "isLive"].map { Names.core + $0 }
            + ["map", "unmap"].map { Names.urid + $0 }
            + ["boundedBlockLength", "fixedBlockLength", "powerOf2BlockLength", "coarseBlockLength"].map { Names.bufSize + $0 }
            + ["makePath", "mapPath", "freePath", "loadDefaultState", "threadSafeRestore"].map { Names.state + $0 }
            + [Names.options + "options", Names.worker + "schedule", Names.log + "log"])

    /// What every call that takes features is handed.
    static var common: [(uri: String, data: UnsafeMutableRawPointer?)] {
        [
            (Names.urid + "map", CLV2Shims_mapFeature()), (Names.urid + "unmap", CLV2Shims_unmapFeature()),
            (Names.log + "log", CLV2Shims_logFeature()),
        ]
    }
}

/// The options of an instance: how long blocks are, at what rate. Lives as long as the instance.
final class Options {
    static let offered: Set<String> = Set(
        ["minBlockLength", "maxBlockLength", "nominalBlockLength", "sequenceSize"].map { Names.bufSize + $0 }
            + [Names.parameters + "sampleRate"])

    private let options: UnsafeMutablePointer<LV2_Options_Option>
    private let integers: UnsafeMutablePointer<Int32>
    private let rate: UnsafeMutablePointer<Float>

    var feature: UnsafeMutableRawPointer { UnsafeMutableRawPointer(options) }

    /// `frameCounts` are the shortest and the longest block.
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
