// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Restores a preset's state, and watches which files the plug-in requests. Control thread.

import CLV2Shims
import CLilv
import Glibc

/// Stands between lilv and the plug-in while a preset's state is restored.
///
/// lilv calls it instead of the plug-in, and it calls the plug-in with its own `retrieve`.
final class PresetWatch {
    private let instance: UnsafeMutablePointer<LilvInstance>
    private var retrieve: LV2_State_Retrieve_Function?
    private var state: LV2_State_Handle?
    private var mapPath: LV2_State_Map_Path?
    /// The files that could not be read, each with the reason.
    private(set) var unreadable: [(path: String, reason: String)] = []

    init(_ instance: UnsafeMutablePointer<LilvInstance>) { self.instance = instance }

    /// Gives a state to the plug-in, with these features and those of lilv.
    func restore(_ state: OpaquePointer, _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>) {
        var standIn = LilvInstance()
        standIn.lv2_descriptor = UnsafePointer(Self.descriptor)
        standIn.lv2_handle = Unmanaged.passUnretained(self).toOpaque()
        lilv_state_restore(state, &standIn, nil, nil, 0, features)
    }

    // SAFETY: made once, and never changed.
    private nonisolated(unsafe) static let interface: UnsafeMutablePointer<LV2_State_Interface> = {
        let interface = UnsafeMutablePointer<LV2_State_Interface>.allocate(capacity: 1)
        interface.initialize(
            to: LV2_State_Interface(
                save: nil,
                restore: { handle, retrieve, state, flags, features in
                    guard let handle else { return LV2_STATE_ERR_UNKNOWN }
                    return PresetWatch.at(handle).restore(retrieve, state, flags, features)
                }))
        return interface
    }()

    // SAFETY: made once, and never changed.
    private nonisolated(unsafe) static let descriptor: UnsafeMutablePointer<LV2_Descriptor> = {
        let descriptor = UnsafeMutablePointer<LV2_Descriptor>.allocate(capacity: 1)
        descriptor.initialize(to: LV2_Descriptor())
        descriptor.pointee.extension_data = { uri in
            uri.map { String(cString: $0) } == Names.state + "interface" ? UnsafeRawPointer(PresetWatch.interface) : nil
        }
        return descriptor
    }()

    private static func at(_ handle: UnsafeMutableRawPointer) -> PresetWatch {
        Unmanaged<PresetWatch>.fromOpaque(handle).takeUnretainedValue()
    }

    private func restore(
        _ retrieve: LV2_State_Retrieve_Function?, _ state: LV2_State_Handle?, _ flags: UInt32,
        _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
    ) -> LV2_State_Status {
        (self.retrieve, self.state) = (retrieve, state)
        mapPath = Self.mapPath(in: features)
        let data = instance.pointee.lv2_descriptor.pointee.extension_data?(Names.state + "interface")
        let plugin = data?.assumingMemoryBound(to: LV2_State_Interface.self).pointee
        guard let restore = plugin?.restore else { return LV2_STATE_SUCCESS }
        let own = Unmanaged.passUnretained(self).toOpaque()
        let status = restore(
            instance.pointee.lv2_handle,
            { handle, key, byteCount, type, flags in
                guard let handle else { return nil }
                return PresetWatch.at(handle).value(key, byteCount, type, flags)
            }, own, flags, features)
        (self.retrieve, self.state, mapPath) = (nil, nil, nil)
        return status
    }

    private static func mapPath(in features: UnsafePointer<UnsafePointer<LV2_Feature>?>?) -> LV2_State_Map_Path? {
        guard var feature = features else { return nil }
        while let entry = feature.pointee {
            if String(cString: entry.pointee.URI) == Names.state + "mapPath" {
                return entry.pointee.data?.assumingMemoryBound(to: LV2_State_Map_Path.self).pointee
            }
            feature += 1
        }
        return nil
    }

    private func value(
        _ key: UInt32, _ byteCount: UnsafeMutablePointer<Int>?, _ type: UnsafeMutablePointer<UInt32>?,
        _ flags: UnsafeMutablePointer<UInt32>?
    ) -> UnsafeRawPointer? {
        var (foundByteCount, foundType, foundFlags) = (0, UInt32(0), UInt32(0))
        let value = retrieve.flatMap { $0(state, key, &foundByteCount, &foundType, &foundFlags) }
        byteCount?.pointee = foundByteCount
        type?.pointee = foundType
        flags?.pointee = foundFlags
        if let value, foundType == CLV2Shims_vocabulary().pointee.path { check(value, foundByteCount) }
        return value.map { UnsafeRawPointer($0) }
    }

    private func check(_ value: UnsafeRawPointer, _ byteCount: Int) {
        let bytes = Array(UnsafeRawBufferPointer(start: value, count: byteCount).prefix { $0 != 0 })
        guard !bytes.isEmpty, let path = Folder.with(bytes, absolute) else { return }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let reason = String(cString: strerror(errno))
        if descriptor >= 0 { close(descriptor) }
        if descriptor < 0, !unreadable.contains(where: { $0.path == path }) { unreadable.append((path, reason)) }
    }

    private func absolute(_ path: UnsafePointer<CChar>) -> String? {
        guard let mapPath else { return String(cString: path) }
        guard let mapped = mapPath.absolute_path(mapPath.handle, path) else { return nil }
        defer { lilv_free(mapped) }
        return String(cString: mapped)
    }
}
