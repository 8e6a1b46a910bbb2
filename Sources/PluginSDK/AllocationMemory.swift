// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Maps and checks the memory that comes with an allocation. Main thread of the extension.

import ControlMessages
import LinuxSystem
import Wire

/// The mapped region, doorbells and audio memory of an allocation.
struct AllocationMemory {
    let attachment: Attachment
    let doorbell: SharedFutexWord
    let hostDoorbell: SharedFutexWord
    let successorDoorbell: SharedFutexWord?
    /// The numbers of the files that hold the doorbells; 0 if there is no successor.
    let doorbellFile: UInt64
    let successorFile: UInt64
    /// Keeps everything above mapped.
    let memories: [SharedMemory]

    /// Maps the descriptors in the order of the specification.
    ///
    /// Throws `WireViolation` for what contradicts the allocation, and `SystemError` if memory cannot be mapped.
    init(_ allocation: Allocation, _ received: inout ReceivedFrame) throws {
        var memories: [SharedMemory] = []
        func next(_ name: String, isWritable: Bool = true) throws -> SharedMemory {
            guard let descriptor = received.takeDescriptor() else { throw WireViolation("no descriptor for the \(name)") }
            let memory = try SharedMemory(mapping: descriptor, name: name, isWritable: isWritable)
            memories.append(memory)
            return memory
        }
        let regionMemory = try next("region")
        let region = try Region(unsafeBase: regionMemory.base, byteCount: regionMemory.byteCount)
        let ownMemory = try next("doorbell", isWritable: false)
        doorbell = SharedFutexWord(unsafeAddress: ownMemory.base)
        doorbellFile = ownMemory.fileNumber
        hostDoorbell = SharedFutexWord(unsafeAddress: try next("host's doorbell").base)
        let output = try Self.samples(of: next("output memory"), allocation.output)
        let successorMemory = allocation.hasSuccessor ? try next("successor's doorbell") : nil
        successorDoorbell = successorMemory.map { SharedFutexWord(unsafeAddress: $0.base) }
        successorFile = successorMemory?.fileNumber ?? 0
        var inputs: [UnsafeMutablePointer<Float>?] = []
        for connection in allocation.connections {
            inputs.append(try connection.map { try Self.samples(of: next("input memory", isWritable: false), $0.layout) })
        }
        attachment = Attachment(region: region, output: output, inputs: inputs)
        self.memories = memories
    }

    private static func samples(of memory: SharedMemory, _ layout: AudioMemoryLayout) throws -> UnsafeMutablePointer<Float> {
        guard memory.byteCount >= layout.byteCount else {
            throw WireViolation("audio memory of \(memory.byteCount) bytes, which should have \(layout.byteCount)")
        }
        return memory.base.assumingMemoryBound(to: Float.self)
    }
}
