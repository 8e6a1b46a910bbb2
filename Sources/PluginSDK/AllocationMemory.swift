// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Maps and checks the memory that comes with an allocation or with a wiring. Main thread of the extension.

import ControlMessages
import LinuxSystem
import Wire

/// The mapped region, doorbells and audio memory of an allocation.
struct AllocationMemory {
    let attachment: Attachment
    let doorbells: Doorbells
    /// Keeps the memory above mapped.
    let memories: [SharedMemory]

    /// Maps the descriptors in the order of the specification.
    ///
    /// Throws `WireViolation` if a descriptor contradicts the allocation, and `SystemError` if memory cannot be mapped.
    init(_ allocation: Allocation, _ received: inout ReceivedFrame) throws {
        var passed = PassedMemory()
        let regionMemory = try passed.map("region", from: &received)
        let region = try Region(unsafeBase: regionMemory.base, byteCount: regionMemory.byteCount)
        let own = try passed.map("doorbell", isWritable: false, from: &received)
        let host = try passed.map("host's doorbell", from: &received)
        let output = try passed.mapSamples("output memory", allocation.output, isWritable: true, from: &received)
        let successor = allocation.hasSuccessor ? try passed.map("successor's doorbell", from: &received) : nil
        let inputs = try passed.mapInputs(allocation.connections, from: &received)
        attachment = Attachment(region: region, output: output, inputs: inputs)
        doorbells = Doorbells(own: own, host: host, successor: successor)
        memories = passed.memories
    }
}

/// The mapped doorbells and input memory of a wiring.
struct WiringMemory {
    let doorbells: Doorbells
    /// One for each input bus; nil if the bus is not connected.
    let inputs: [UnsafeMutablePointer<Float>?]
    /// Keeps the memory above mapped.
    let memories: [SharedMemory]

    /// Maps the descriptors in the order of the specification.
    ///
    /// Throws `WireViolation` if a descriptor contradicts the wiring, and `SystemError` if memory cannot be mapped.
    init(_ rewiring: Rewiring, _ received: inout ReceivedFrame) throws {
        var passed = PassedMemory()
        let own = try passed.map("doorbell", isWritable: false, from: &received)
        let host = try passed.map("host's doorbell", from: &received)
        let successor = rewiring.hasSuccessor ? try passed.map("successor's doorbell", from: &received) : nil
        inputs = try passed.mapInputs(rewiring.connections, from: &received)
        doorbells = Doorbells(own: own, host: host, successor: successor)
        memories = passed.memories
    }
}
