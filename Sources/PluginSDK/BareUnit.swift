// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit without a host around it, for the module PluginTesting. One thread.

import AudioUnits
import ControlMessages
import Wire

/// A unit that answers control messages and renders on the caller's thread.
package final class BareUnit {
    private let instance: UnitInstance

    /// `[control]` Makes the unit of a kernel type.
    package init<K: Kernel & ~Copyable>(_ kernel: K.Type) { instance = UnitInstance(.unit(UnitDefinition(kernel))) }

    /// `[control]` Sets the memory of the region and of the audio.
    ///
    /// Call it before the message `allocate`; the memory must stay until `deallocate`.
    ///
    /// `inputs` has one pointer a bus, nil if the bus is not connected.
    package func attach(
        _ region: Region, output: UnsafeMutablePointer<Float>, inputs: [UnsafeMutablePointer<Float>?]
    ) { instance.attachment = Attachment(region: region, output: output, inputs: inputs) }

    /// `[control]` Answers a message.
    package func handle(_ message: HostMessage) -> PluginMessage { instance.handle(message) }

    /// `[control]` Renders the request of this number, which lies in the region, and writes the reply there.
    package func render(_ sequence: UInt64) { instance.core?.pointee.render(sequence) }
}
