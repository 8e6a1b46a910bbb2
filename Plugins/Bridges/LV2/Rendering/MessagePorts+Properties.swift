// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Values of properties for the plug-in, queued for the next run. Render thread.

import CLV2Shims
import PluginSDK

extension MessagePorts {
    /// Queues a property's value for the next run, if the plug-in has another value.
    ///
    /// Returns false if no property has that address.
    @_noLocks
    mutating func apply(_ change: ParameterChange, atFrame frame: Int) -> Bool {
        guard change.address >= Settings.firstPropertyAddress else { return false }
        let index = Int(change.address &- Settings.firstPropertyAddress)
        guard index < propertyCount else { return false }
        catchUp()
        properties[index].wanted = change.value
        tell(index, frame)
        return true
    }

    /// Queues the host's value of a property, unless the plug-in has it; without room, marks it as unsent.
    @_noLocks
    mutating func tell(_ index: Int, _ frame: Int) {
        let property = properties[index]
        let isChange = property.value != property.wanted
        let isTold = !isChange || set(property, property.wanted, frame)
        properties[index].isUnsent = !isTold
        guard isChange, isTold else { return }
        properties[index].value = property.wanted
        properties[index].isQueued = true
    }

    /// Queues a value; false without room.
    @_noLocks
    private func set(_ property: RenderProperty, _ value: Double, _ frame: Int) -> Bool {
        let words = CLV2Shims_vocabulary().pointee
        let bounded = max(-9e15, min(9e15, value))
        var (bits, byteCount): (UInt64, UInt32) = (0, 4)
        if property.type == words.floatType {
            bits = UInt64(Float(value).bitPattern)
        } else if property.type == words.doubleType {
            (bits, byteCount) = (value.bitPattern, 8)
        } else if property.type == words.longType {
            (bits, byteCount) = (UInt64(bitPattern: Int64(bounded)), 8)
        } else {
            let whole = Int32(max(-2_147_483_648, min(2_147_483_647, bounded)))
            bits = UInt64(UInt32(bitPattern: whole))
        }
        body.storeBytes(of: bits, as: UInt64.self)
        return send(CLV2Shims_Change(property: property.urid, type: property.type, byteCount: byteCount, body: body), frame)
    }

    /// Appends a patch:Set to the message port of every instance that has one; false without room.
    @_noLocks
    func send(_ change: CLV2Shims_Change, _ frame: Int) -> Bool {
        var hasRoom = true
        for index in 0..<messageInputs.count {
            let port = messageInputs[index]
            if !withUnsafePointer(to: change, { CLV2Shims_appendSet(port.buffer, port.capacity, Int64(frame), $0) }) {
                hasRoom = false
            }
        }
        return hasRoom
    }
}
