// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// MIDI and ramps for a unit, by blocks that a program fetches once. Any thread but the render thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph
import Foundation
import PluginHosting

/// Sends MIDI messages: the time, the cable, the number of bytes, and the bytes.
public typealias AUScheduleMIDIEventBlock = (AUEventSampleTime, UInt8, Int, UnsafePointer<UInt8>) -> Void
/// Changes a parameter: the time, the length of the ramp in frames, the address, and the value.
public typealias AUScheduleParameterBlock = (AUEventSampleTime, AUAudioFrameCount, AUParameterAddress, AUValue) -> Void

/// The time for "as soon as possible"; the next 4096 values mean the same here.
public let AUEventSampleTimeImmediate = AUEventSampleTime(bitPattern: 0xFFFF_FFFF_0000_0000)

extension AUAudioUnit {
    /// Sends MIDI messages; nil for a unit without MIDI.
    ///
    /// Before the engine plays, an instrument keeps messages of any time, and other units refuse them. Standard error reports
    /// refused messages. Unlike on Apple's systems, a program must not call the block on the render thread.
    public var scheduleMIDIEventBlock: AUScheduleMIDIEventBlock? {
        guard isMusicDeviceOrEffect else { return nil }
        return { [weak self] time, cable, byteCount, bytes in
            guard byteCount > 0 else { return }
            let bytes = [UInt8](UnsafeBufferPointer(start: bytes, count: byteCount))
            for message in MIDIMessage.messages(in: bytes, cable: cable) { self?.send(message, at: time) }
        }
    }

    /// Changes parameters while the unit renders; without render resources it sets the value at once.
    ///
    /// NaN changes nothing. Unlike on Apple's systems, a program must not call the block on the render thread.
    public var scheduleParameterBlock: AUScheduleParameterBlock {
        { [weak self] time, rampFrameCount, address, value in
            guard !value.isNaN, let parameter = self?.tree?.parameter(withAddress: address) else { return }
            guard let plugin = self?.plugin, plugin.renderResourcesAllocated, !Self.isImmediate(time) || rampFrameCount > 0 else {
                return parameter.setValue(value, originator: nil)
            }
            do throws(HostingError) {
                let time = Self.isImmediate(time) ? Int64(self?.node?.lastRenderTime?.frames ?? 0) : time
                try plugin.scheduleValue(
                    parameter.clamped(value), of: parameter.keyPath, at: time, rampFrameCount: rampFrameCount)
            } catch {
                AVFAudioLog.write("\(error)")
            }
        }
    }

    private static func isImmediate(_ time: AUEventSampleTime) -> Bool {
        (AUEventSampleTimeImmediate...AUEventSampleTimeImmediate + 4096).contains(time)
    }

    private func send(_ message: MIDIMessage, at time: AUEventSampleTime) {
        guard let plugin else { return }
        let isImmediate = Self.isImmediate(time) || !plugin.renderResourcesAllocated
        if isImmediate, let instrument = node as? AudioUnitMIDIInstrument { return instrument.send(message) }
        do throws(HostingError) {
            try plugin.send(message, at: isImmediate ? nil : time)
        } catch {
            AVFAudioLog.write("\(error)")
        }
    }
}

extension MIDIMessage {
    /// The messages in a sequence of bytes; a long message in pieces.
    ///
    /// The list ends at bytes that are no message.
    fileprivate static func messages(in bytes: [UInt8], cable: UInt8) -> [MIDIMessage] {
        guard bytes.first != 0xF0 else { return pieces(of: bytes, cable: cable) }
        var (messages, rest) = ([MIDIMessage](), bytes[...])
        while let status = rest.first {
            let count = byteCount(of: status)
            guard let message = pieces(of: Array(rest.prefix(count)), cable: cable).first, message.isWhole else { break }
            messages.append(message)
            rest = rest.dropFirst(count)
        }
        return messages
    }

    private static func byteCount(of status: UInt8) -> Int {
        switch status {
        case 0xC0...0xDF, 0xF1, 0xF3: 2
        case 0x80...0xEF, 0xF2: 3
        default: 1
        }
    }
}
