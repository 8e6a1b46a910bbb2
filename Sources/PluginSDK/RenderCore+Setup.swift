// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Builds a render core and allocates all memory that it renders with. Control thread.

import CWireLayout
import ControlMessages
import Wire

/// The mapped memory of a unit's region and audio.
struct Attachment {
    var region: Region
    var output: UnsafeMutablePointer<Float>
    /// One for each input bus; nil if the bus is not connected.
    var inputs: [UnsafeMutablePointer<Float>?]
}

extension RenderCore {
    /// `[control]` Makes the kernel and the memory to render with, for an allocation that matches the attachment.
    init(
        definition: UnitDefinition, allocation: Allocation, attachment: Attachment, values: [UInt64: Double],
        renewal: RenewalPort?, scopes: UnsafeMutablePointer<Scopes.Core>?
    ) throws(UnitError) {
        let setup = RenderSetup(allocation)
        let kernel = try definition.makeKernel(setup)
        let table = ParameterTable(definition.parameters, values: values, sampleRate: setup.sampleRate)
        Self.prepare(kernel, table)
        let inputs = BusBlocks(Self.inputSources(allocation, attachment))
        let silence = SilentBuses(
            setup.inputs, maximumFrameCount: setup.maximumFrameCount, pointing: inputs.blocks)
        self.init(
            region: attachment.region, kernel: kernel, parameters: table,
            inputs: inputs, outputs: BusBlocks(Self.outputSources(allocation, attachment)), silence: silence,
            bypass: Bypass(
                channelCount: min(setup.channelCount, setup.inputs.first?.channelCount ?? 0),
                maximumFrameCount: setup.maximumFrameCount, latencyFrameCount: kernel.delays.latency,
                sampleRate: setup.sampleRate), renewal: renewal, scopes: scopes)
    }

    /// `[control]` Gives a new kernel the present values, and lets it get ready to render.
    static func prepare(_ kernel: KernelBox, _ table: borrowing ParameterTable) {
        for index in 0..<table.count {
            if let change = table.settableValue(index) { kernel.apply(change) }
        }
        kernel.reset()
        kernel.prepare()
    }

    private static func inputSources(_ allocation: Allocation, _ attachment: Attachment) -> [BusBlocks.Source] {
        allocation.inputs.indices.map { bus in
            let connection = allocation.connections[bus]
            return BusBlocks.Source(
                base: connection == nil ? nil : attachment.inputs[bus],
                layout: connection?.layout ?? allocation.output, firstChannel: connection?.firstChannel ?? 0,
                channelCount: allocation.inputs[bus].channelCount)
        }
    }

    private static func outputSources(_ allocation: Allocation, _ attachment: Attachment) -> [BusBlocks.Source] {
        var firstChannel = 0
        return allocation.outputs.map { format in
            defer { firstChannel += format.channelCount }
            return BusBlocks.Source(
                base: attachment.output, layout: allocation.output, firstChannel: firstChannel,
                channelCount: format.channelCount)
        }
    }
}

extension RenderSetup {
    init(_ allocation: Allocation) {
        self.init(
            sampleRate: allocation.sampleRate, maximumFrameCount: allocation.maximumFrameCount, inputs: allocation.inputs,
            outputs: allocation.outputs)
    }
}
