// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The properties that a plug-in stores and retrieves through callbacks while it saves or restores. Control thread.

import CLV2Shims
import CLilv
import Glibc

/// The properties of a state during one call of `save` or `restore`.
final class StateStore {
    private(set) var properties: [SavedState.Property] = []
    /// The index of each key's property.
    ///
    /// A sampler has thousands.
    private var places: [UInt32: Int] = [:]
    /// The values at addresses that last as long as the call, by the number of their key.
    private var values: [UInt32: Value] = [:]
    /// The bytes that the state may still use.
    private var roomByteCount = StateFolder.maximumByteCount

    private struct Value {
        let bytes: UnsafeMutableRawPointer
        let byteCount: Int
        let type: UInt32
        let flags: UInt32
    }

    /// Makes an empty store.
    init() {}

    /// Makes a store to retrieve from.
    init(_ properties: [SavedState.Property]) {
        for property in properties {
            var bytes = property.bytes
            if property.type == Self.uridType {
                let urid = CLV2Shims_map(String(decoding: bytes, as: UTF8.self))
                bytes = withUnsafeBytes(of: urid) { Array($0) }
            }
            // A text ends with a null even if the plug-in stored none, because a null follows every value.
            let memory = UnsafeMutableRawPointer.allocate(byteCount: max(8, bytes.count + 1), alignment: 16)
            memset(memory, 0, max(8, bytes.count + 1))
            memory.copyMemory(from: bytes, byteCount: bytes.count)
            let value = Value(
                bytes: memory, byteCount: bytes.count, type: CLV2Shims_map(property.type), flags: property.flags)
            values.updateValue(value, forKey: CLV2Shims_map(property.key))?.bytes.deallocate()
        }
    }

    deinit { for value in values.values { value.bytes.deallocate() } }

    /// Values of this type are numbers of URIs, valid only in this process.
    private static let uridType = Names.atom + "URID"

    private static func at(_ handle: UnsafeMutableRawPointer) -> StateStore {
        Unmanaged<StateStore>.fromOpaque(handle).takeUnretainedValue()
    }

    static let store: LV2_State_Store_Function = { handle, key, body, byteCount, type, flags in
        guard let handle, let body else { return LV2_STATE_ERR_UNKNOWN }
        return at(handle).put(key, UnsafeRawBufferPointer(start: body, count: byteCount), type, flags)
    }

    static let retrieve: LV2_State_Retrieve_Function = { handle, key, byteCount, type, flags in
        guard let handle, let value = at(handle).values[key] else { return nil }
        byteCount?.pointee = value.byteCount
        type?.pointee = value.type
        flags?.pointee = value.flags
        return UnsafeRawPointer(value.bytes)
    }

    private func put(_ key: UInt32, _ body: UnsafeRawBufferPointer, _ type: UInt32, _ flags: UInt32) -> LV2_State_Status {
        // Any other data would contain an address in this process.
        guard flags & LV2_STATE_IS_POD.rawValue != 0 else { return LV2_STATE_ERR_BAD_FLAGS }
        guard body.count > 0, body.count <= roomByteCount else { return LV2_STATE_ERR_NO_SPACE }
        guard let name = CLV2Shims_unmap(key), let type = CLV2Shims_unmap(type) else { return LV2_STATE_ERR_BAD_TYPE }
        roomByteCount -= body.count
        var property = SavedState.Property(
            key: String(cString: name), type: String(cString: type), flags: flags, bytes: Array(body))
        if property.type == Self.uridType {
            guard body.count == 4, let uri = CLV2Shims_unmap(body.loadUnaligned(as: UInt32.self)) else {
                return LV2_STATE_ERR_BAD_TYPE
            }
            property.bytes = Array(String(cString: uri).utf8)
        }
        if let place = places[key] {
            properties[place] = property
        } else {
            places[key] = properties.count
            properties.append(property)
        }
        return LV2_STATE_SUCCESS
    }
}
