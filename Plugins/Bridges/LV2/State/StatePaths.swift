// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The features by which a plug-in names files in its state: in its own folder, with relative names. Any thread.

import CLilv
import Glibc
import PluginSDK

/// The three features state:makePath, state:mapPath and state:freePath.
///
/// They live as long as the unit.
final class StatePaths {
    let folder = StateFolder()
    private let makePath: UnsafeMutablePointer<LV2_State_Make_Path>
    private let mapPath: UnsafeMutablePointer<LV2_State_Map_Path>
    private let freePath: UnsafeMutablePointer<LV2_State_Free_Path>

    init() {
        makePath = .allocate(capacity: 1)
        mapPath = .allocate(capacity: 1)
        freePath = .allocate(capacity: 1)
        let handle = Unmanaged.passUnretained(self).toOpaque()
        makePath.initialize(
            to: LV2_State_Make_Path(
                handle: handle,
                path: { handle, name in
                    guard let handle, let name else { return nil }
                    return StatePaths.at(handle).made(String.bytes(name)).flatMap(StatePaths.copy)
                }))
        mapPath.initialize(
            to: LV2_State_Map_Path(
                handle: handle,
                abstract_path: { handle, path in
                    guard let handle, let path else { return nil }
                    let file = Array(String.bytes(path))
                    return StatePaths.copy(StatePaths.at(handle).folder.name(of: file)?.bytes ?? file)
                },
                absolute_path: { handle, path in
                    guard let handle, let path else { return nil }
                    return StatePaths.at(handle).absolute(Array(String.bytes(path))).flatMap(StatePaths.copy)
                }))
        freePath.initialize(to: LV2_State_Free_Path(handle: handle, free_path: { _, path in free(path) }))
    }

    deinit {
        makePath.deallocate()
        mapPath.deallocate()
        freePath.deallocate()
    }

    private static func at(_ handle: UnsafeMutableRawPointer) -> StatePaths {
        Unmanaged<StatePaths>.fromOpaque(handle).takeUnretainedValue()
    }

    private func made(_ name: some Sequence<UInt8>) -> [UInt8]? {
        FileName(name).flatMap { try? folder.makePath($0) }
    }

    private func absolute(_ path: [UInt8]) -> [UInt8]? {
        if FileName.isAbsolute(path) || path.isEmpty { return path }
        return FileName(path).flatMap { try? folder.path(of: $0) }
    }

    /// A copy that the plug-in frees.
    private static func copy(_ path: [UInt8]) -> UnsafeMutablePointer<CChar>? { Folder.with(path) { strdup($0) } }

    var features: [(uri: String, data: UnsafeMutableRawPointer?)] {
        [
            (Names.state + "makePath", UnsafeMutableRawPointer(makePath)),
            (Names.state + "mapPath", UnsafeMutableRawPointer(mapPath)),
            (Names.state + "freePath", UnsafeMutableRawPointer(freePath)),
        ]
    }
}
