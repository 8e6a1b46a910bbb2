// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Maps the descriptors of a message, one after another. Main thread of the extension.

import ControlMessages
import LinuxSystem
import Wire

/// The memory that has been mapped so far for a message.
///
/// Every function throws `WireViolation` if a descriptor contradicts the message, and `SystemError` if memory cannot be mapped.
struct PassedMemory {
    /// Keeps everything mapped.
    private(set) var memories: [SharedMemory] = []

    /// Maps the next descriptor.
    mutating func map(_ name: String, isWritable: Bool = true, from received: inout ReceivedFrame) throws -> SharedMemory {
        guard let descriptor = received.takeDescriptor() else { throw WireViolation("no descriptor for the \(name)") }
        let memory = try SharedMemory(mapping: descriptor, name: name, isWritable: isWritable)
        memories.append(memory)
        return memory
    }

    /// Maps the next descriptor, which holds audio of this layout.
    mutating func mapSamples(
        _ name: String, _ layout: AudioMemoryLayout, isWritable: Bool, from received: inout ReceivedFrame
    ) throws -> UnsafeMutablePointer<Float> {
        let memory = try map(name, isWritable: isWritable, from: &received)
        guard memory.byteCount >= layout.byteCount else {
            throw WireViolation("audio memory of \(memory.byteCount) bytes, which should have \(layout.byteCount)")
        }
        return memory.base.assumingMemoryBound(to: Float.self)
    }

    /// Maps the memory of each connected input; nil for a bus that is not connected.
    mutating func mapInputs(
        _ connections: [InputConnection?], from received: inout ReceivedFrame
    ) throws -> [UnsafeMutablePointer<Float>?] {
        var inputs: [UnsafeMutablePointer<Float>?] = []
        for connection in connections {
            inputs.append(
                try connection.map { try mapSamples("input memory", $0.layout, isWritable: false, from: &received) })
        }
        return inputs
    }
}

/// The doorbells that a unit uses at a time.
struct Doorbells {
    /// The word at which the unit's own thread sleeps.
    let own: SharedFutexWord
    let host: SharedFutexWord
    let successor: SharedFutexWord?
    /// The numbers of the files that hold the unit's own doorbell and the successor's; 0 if there is no successor.
    let ownFile: UInt64
    let successorFile: UInt64

    init(own: SharedMemory, host: SharedMemory, successor: SharedMemory?) {
        self.own = SharedFutexWord(unsafeAddress: own.base)
        self.host = SharedFutexWord(unsafeAddress: host.base)
        self.successor = successor.map { SharedFutexWord(unsafeAddress: $0.base) }
        ownFile = own.fileNumber
        successorFile = successor?.fileNumber ?? 0
    }
}
