// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The features for a plug-in in LV2's form: arrays that end with null. Control thread.

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

    /// The list, with null at its end; valid as long as the object lives.
    var pointer: UnsafePointer<UnsafePointer<LV2_Feature>?> { UnsafePointer(list) }

    /// Calls `body` with a list of features that lasts as long as the call.
    static func with<Value>(
        _ features: [(uri: String, data: UnsafeMutableRawPointer?)],
        _ body: (UnsafePointer<UnsafePointer<LV2_Feature>?>) -> Value
    ) -> Value {
        let list = Features(features)
        return withExtendedLifetime(list) { body(list.pointer) }
    }

    /// Every feature that a plug-in may require.
    static let offered: Set<String> = Set(
        ["inPlaceBroken", "hardRTCapable", "isLive"].map { Names.core + $0 }
            + ["map", "unmap"].map { Names.urid + $0 }
            + ["boundedBlockLength", "fixedBlockLength", "powerOf2BlockLength", "coarseBlockLength"].map { Names.bufSize + $0 }
            + ["makePath", "mapPath", "freePath", "loadDefaultState", "threadSafeRestore"].map { Names.state + $0 }
            + [Names.options + "options", Names.worker + "schedule", Names.log + "log", Names.inlineDisplay + "queue_draw"])

    /// The features for every call.
    static var common: [(uri: String, data: UnsafeMutableRawPointer?)] {
        [
            (Names.urid + "map", CLV2Shims_mapFeature()), (Names.urid + "unmap", CLV2Shims_unmapFeature()),
            (Names.log + "log", CLV2Shims_logFeature()),
        ]
    }
}
