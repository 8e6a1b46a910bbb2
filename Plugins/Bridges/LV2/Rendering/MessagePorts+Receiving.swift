// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// MIDI and properties from the plug-in, after each run. Render thread.

import CLV2Shims
import PluginSDK

extension MessagePorts {
    /// Clears the inputs after a run, and sends the host the messages of the first instance.
    ///
    /// The run's first frame lies `start` frames into the block.
    @_noLocks
    mutating func finishRun(_ block: RenderBlock, start: Int, frameCount: Int) {
        settle()
        var cable: UInt8 = 0
        for port in 0..<heardOutputCount {
            read(outputs[port], block, start: start, frameCount: frameCount, cable: cable)
            if outputs[port].takesMIDI { cable &+= 1 }
        }
        clearOutputs()
    }

    /// Clears the ports after a silent block; the host learns only the plug-in's texts.
    mutating func finishRehearsal() {
        settle()
        for port in 0..<heardOutputCount {
            var offset: UInt32 = 0
            var event = CLV2Shims_Event()
            while CLV2Shims_nextEvent(outputs[port].buffer, outputs[port].capacity, &offset, &event) { learnTexts(&event) }
        }
        clearOutputs()
    }

    private func learnTexts(_ event: inout CLV2Shims_Event) {
        var offset: UInt32 = 0
        var change = CLV2Shims_Change()
        while CLV2Shims_nextChange(&event, &offset, &change) {
            for index in 0..<propertyCount where properties[index].urid == change.property && !properties[index].isParameter {
                learnText(index, change)
            }
        }
    }

    /// Clears the ports after an unheard run, before which nothing was queued.
    @_noLocks
    mutating func dropRun() {
        clearInputs()
        clearOutputs()
    }

    @_noLocks
    func clearInputs() { for port in 0..<inputs.count { CLV2Shims_clearInput(inputs[port].buffer) } }

    @_noLocks
    private func clearOutputs() {
        for port in 0..<outputs.count { CLV2Shims_clearOutput(outputs[port].buffer, outputs[port].capacity) }
    }

    @_noLocks
    private mutating func read(_ port: AtomPort, _ block: RenderBlock, start: Int, frameCount: Int, cable: UInt8) {
        let midi = CLV2Shims_vocabulary().pointee.midiEvent
        var offset: UInt32 = 0
        var event = CLV2Shims_Event()
        while CLV2Shims_nextEvent(port.buffer, port.capacity, &offset, &event) {
            let frame = start &+ Int(max(0, min(Int64(max(0, frameCount - 1)), event.frame)))
            if event.type == midi {
                emit(event, block, frame, cable)
            } else {
                learn(&event, block, frame)
            }
        }
    }

    /// Sends a MIDI message to the host, in pieces if it is long.
    @_noLocks
    private func emit(_ event: CLV2Shims_Event, _ block: RenderBlock, _ frame: Int, _ cable: UInt8) {
        guard let body = event.body, event.byteCount <= UInt32(Self.longestMIDI) else { return }
        let bytes = body.assumingMemoryBound(to: UInt8.self)
        let count = Int(event.byteCount)
        var sent = 0
        while sent < count {
            let length = min(16, count &- sent)
            var (low, high): (UInt64, UInt64) = (0, 0)
            for index in 0..<length {
                let byte = UInt64(bytes[sent &+ index])
                if index < 8 { low |= byte &<< UInt64(index &* 8) } else { high |= byte &<< UInt64(index &* 8 &- 64) }
            }
            sent &+= length
            block.emitMIDI(
                MIDIMessage(low: low, high: high, byteCount: UInt8(length), cable: cable, continues: sent < count),
                atFrame: frame)
        }
    }

    /// Takes the reported values of the plug-in's properties.
    @_noLocks
    private mutating func learn(_ event: inout CLV2Shims_Event, _ block: RenderBlock, _ frame: Int) {
        var offset: UInt32 = 0
        var change = CLV2Shims_Change()
        while CLV2Shims_nextChange(&event, &offset, &change) {
            for index in 0..<propertyCount where properties[index].urid == change.property {
                learn(index, change, block, frame)
            }
        }
    }

    @_noLocks
    private mutating func learn(_ index: Int, _ change: CLV2Shims_Change, _ block: RenderBlock, _ frame: Int) {
        guard let body = change.body else { return }
        if properties[index].isParameter {
            let value = CLV2Shims_number(change.type, body, change.byteCount)
            // The host's unsent value has priority over the plug-in's report.
            guard value.isFinite, value != properties[index].value, !properties[index].isUnsent else { return }
            properties[index].value = value
            block.emitParameter(Settings.firstPropertyAddress &+ UInt64(index), value: value, atFrame: frame)
        } else {
            learnText(index, change)
        }
    }

    @_noLocks
    private func learnText(_ index: Int, _ change: CLV2Shims_Change) {
        guard let body = change.body, change.byteCount <= TextRing.longestByteCount else { return }
        var head = UInt64(UInt32(truncatingIfNeeded: index)) | UInt64(knownState) &<< 32
        _ = CLV2Shims_write(fromRender, &head, 8, body, change.byteCount)
    }
}
