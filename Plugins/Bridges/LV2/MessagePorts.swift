// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What passes through atom ports: MIDI, the song's position, and properties set by messages. Made by the control thread,
// used by the render thread.

import CLV2Shims
import PluginSDK

/// An instance as the render thread knows it.
struct RenderInstance {
    let descriptor: UnsafeRawPointer
    let handle: UnsafeMutableRawPointer
    let worker: OpaquePointer?
    let inputs: UnsafeMutablePointer<AtomPort>
    let inputCount: Int
    let outputs: UnsafeMutablePointer<AtomPort>
    let outputCount: Int
}

/// A property as the render thread knows it.
struct RenderProperty {
    let urid: UInt32
    let type: UInt32
    let isParameter: Bool
    /// What the plug-in has it at, as far as anybody has said.
    var value: Double
}

struct MessagePorts: ~Copyable {
    let instances: UnsafeMutablePointer<RenderInstance>
    let instanceCount: Int
    let properties: UnsafeMutablePointer<RenderProperty>
    let propertyCount: Int
    let toRender: OpaquePointer
    let fromRender: OpaquePointer
    let message: UnsafeMutableRawPointer
    /// A MIDI message whose pieces are still coming.
    let pieces: UnsafeMutablePointer<UInt8>
    var pieceByteCount = 0
    /// Whether the plug-in has been asked what its properties are.
    var hasAsked: Bool

    /// The longest MIDI message that is put together, in bytes.
    static var longestMIDI: Int {
        @_noLocks get { 65_536 }
    }

    /// The instances belong to the caller.
    init(_ session: Session, _ instances: UnsafeMutablePointer<RenderInstance>, _ settings: Settings) {
        self.instances = instances
        instanceCount = session.instances.count
        let described = session.plugin.properties
        propertyCount = described.count
        properties = .allocate(capacity: max(1, propertyCount))
        for (index, property) in described.enumerated() {
            let parameter = settings.tree[address: Settings.firstPropertyAddress + UInt64(index)]
            (properties + index).initialize(
                to: RenderProperty(
                    urid: property.urid, type: property.type, isParameter: property.isParameter,
                    value: parameter?.defaultValue ?? 0))
        }
        toRender = session.toRender
        fromRender = session.fromRender
        message = .allocate(byteCount: Int(TextRing.byteCount), alignment: 16)
        pieces = .allocate(capacity: Self.longestMIDI)
        hasAsked = described.isEmpty
    }

    deinit {
        properties.deallocate()
        message.deallocate()
        pieces.deallocate()
    }
}
