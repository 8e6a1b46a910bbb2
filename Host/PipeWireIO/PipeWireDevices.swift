// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Watches the session's sinks and sources. Control thread.

import CPipeWireShims
import Glibc

/// The session's sinks and sources, watched as long as the object lives.
///
/// `[control]` throughout, any number of threads.
public final class PipeWireDevices: Sendable {
    // SAFETY: the C functions read under their loop's lock; deinit frees it, after the last reference.
    nonisolated(unsafe) private let devices: OpaquePointer

    /// Connects to the daemon of the environment, or to the one at a socket.
    ///
    /// Throws if no daemon answers. A silent daemon takes three seconds.
    public init(socketPath: String? = nil) throws(PipeWireError) {
        var error = CPipeWireShims_Error()
        guard let devices = CPipeWireShims_openDevices(socketPath, &error) else {
            throw PipeWireError(error, PipeWireConfiguration())
        }
        self.devices = devices
    }

    deinit { CPipeWireShims_closeDevices(devices) }

    /// An eventfd that becomes readable at each change, and when the connection fails.
    ///
    /// It belongs to this object. The next change wakes a program that reads it.
    public var event: Int32 { CPipeWireShims_devicesEvent(devices) }

    /// Writes to another eventfd, too, at each change, as long as this object lives.
    func tell(event: Int32) { CPipeWireShims_tellOfDevices(devices, event) }

    /// True if something has changed since the last call, or since the event was read.
    var hasChanged: Bool {
        var count: UInt64 = 0
        return read(event, &count, 8) == 8
    }

    /// The reason why the connection failed; nil while it works.
    public var failure: String? { CPipeWireShims_devicesFailure(devices).map { String(cString: $0) } }

    /// The present devices; after a failure, the last known ones.
    public var list: PipeWireDeviceList {
        var reading = Reading()
        withUnsafeMutablePointer(to: &reading) { CPipeWireShims_readDevices(devices, $0, readChoices, readDevice) }
        return reading.finished
    }
}

/// The data that is read while nothing changes.
private struct Reading {
    var list = PipeWireDeviceList()
    var sinkName = ""
    var sourceName = ""

    var finished: PipeWireDeviceList {
        var list = list
        list.defaultSink = list.devices.first { $0.isSink && $0.name == sinkName }
        list.defaultSource = list.devices.first { !$0.isSink && $0.name == sourceName }
        return list
    }
}

private func readChoices(_ context: UnsafeMutableRawPointer?, _ choices: UnsafePointer<CPipeWireShims_Choices>?) {
    guard let reading = context?.assumingMemoryBound(to: Reading.self), let choices = choices?.pointee else { return }
    reading.pointee.sinkName = String(cString: choices.sinkName)
    reading.pointee.sourceName = String(cString: choices.sourceName)
    reading.pointee.list.read(choices)
}

private func readDevice(_ context: UnsafeMutableRawPointer?, _ device: UnsafePointer<CPipeWireShims_Device>?) {
    guard let reading = context?.assumingMemoryBound(to: Reading.self), let device = device?.pointee else { return }
    reading.pointee.list.devices.append(PipeWireDevice(device))
}

extension PipeWireDeviceList {
    fileprivate mutating func read(_ choices: CPipeWireShims_Choices) {
        // Cannot trap: words of 32 bits.
        (sampleRate, quantum) = (Int(choices.rate), Int(choices.quantum))
        let shortest = Int(choices.minimumQuantum)
        quantumLimits = shortest...max(shortest, Int(choices.maximumQuantum))
        // Cannot trap: a word of 32 bits.
        forcedSampleRate = choices.forcedRate > 0 ? Int(choices.forcedRate) : nil
        forcedQuantum = choices.forcedQuantum > 0 ? Int(choices.forcedQuantum) : nil
        hasRunningStreams = choices.hasRunningStreams
        withUnsafeBytes(of: choices.allowedRates) { bytes in
            allowedSampleRates = bytes.bindMemory(to: UInt32.self).prefix(Int(choices.allowedRateCount)).map { Int($0) }
        }
    }
}

extension PipeWireDevice {
    fileprivate init(_ device: CPipeWireShims_Device) {
        self.init(
            name: String(cString: device.name), description: String(cString: device.description), isSink: device.isSink)
        (nick, serial) = (String(cString: device.nick), String(cString: device.serial))
        (formFactor, api) = (String(cString: device.formFactor), String(cString: device.api))
        (bus, iconName) = (String(cString: device.bus), String(cString: device.iconName))
        profileName = String(cString: device.profileName)
        (routeName, portType) = (String(cString: device.routeName), String(cString: device.portType))
        channelNames = (0..<Int(device.channelCount)).map { String(cString: device.channels[$0]) }
        volume = device.volume
    }
}
