// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The features by which a plug-in names files in its state: made in a folder of its own, named relative to it. Control thread.

import CLilv
import Glibc
import PluginSDK

/// state:makePath, state:mapPath and state:freePath. Lives as long as the unit.
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
                    return (try? StatePaths.at(handle).folder.makePath(String(cString: name))).flatMap { strdup($0) }
                }))
        mapPath.initialize(
            to: LV2_State_Map_Path(
                handle: handle,
                abstract_path: { handle, path in
                    guard let handle, let path else { return nil }
                    return strdup(StatePaths.at(handle).folder.name(of: String(cString: path)) ?? String(cString: path))
                },
                absolute_path: { handle, path in
                    guard let handle, let path else { return nil }
                    return StatePaths.at(handle).absolute(String(cString: path)).flatMap { strdup($0) }
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

    private func absolute(_ name: String) -> String? {
        if name.hasPrefix("/") || name.isEmpty { return name }
        return StateFolder.isName(name) ? (try? folder.make()).map { "\($0)/\(name)" } : nil
    }

    var features: [(uri: String, data: UnsafeMutableRawPointer?)] {
        [
            (Names.state + "makePath", UnsafeMutableRawPointer(makePath)),
            (Names.state + "mapPath", UnsafeMutableRawPointer(mapPath)),
            (Names.state + "freePath", UnsafeMutableRawPointer(freePath)),
        ]
    }
}
