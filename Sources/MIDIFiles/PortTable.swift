// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The ports of a song: the numbers and devices that tracks name. Any thread.

/// Numbers the ports that messages are for, in the order in which they come.
struct PortTable {
    /// The port of a track: a number (meta event 0x21), or the name of a device (meta event 0x09); without both, port 0.
    struct Key {
        var number: UInt8?
        var device: String?
    }

    private struct Port {
        /// The number that the file has; nil for the name of a device.
        let number: UInt8?
        /// The channels with messages, one bit each.
        var channels: UInt16 = 0
    }

    private var ports: [Port] = []
    private var numbered: [UInt8: Int] = [:]
    private var named: [String: Int] = [:]

    /// Returns the present number of a port, in the order in which they come; nil if there are more than 256.
    mutating func number(of key: Key) -> UInt8? {
        let index: Int
        if key.number == nil, let device = key.device {
            index = named[device] ?? ports.count
            guard index <= 255 else { return nil }
            named[device] = index
        } else {
            index = numbered[key.number ?? 0] ?? ports.count
            guard index <= 255 else { return nil }
            numbered[key.number ?? 0] = index
        }
        if index == ports.count { ports.append(Port(number: key.device == nil ? key.number ?? 0 : key.number)) }
        return UInt8(index)
    }

    /// Notes the channel of a message for a port.
    mutating func note(_ event: MIDIFileEvent, at number: UInt8) {
        if event.kind != .systemExclusive { ports[Int(number)].channels |= 1 << UInt16(event.channel) }
    }

    /// Returns tracks whose ports count from 0 on: first those with numbers in their order, then the devices.
    ///
    /// Devices that use different channels share a port: some programs name a device for each track.
    func numbered(_ tracks: [MIDITrack]) -> [MIDITrack] {
        let order = ports.indices.sorted {
            (ports[$0].number.map(Int.init) ?? 256, $0) < (ports[$1].number.map(Int.init) ?? 256, $1)
        }
        var (places, count, shared) = ([UInt8](repeating: 0, count: ports.count), 0, UInt16(0))
        for index in order {
            let isDevice = ports[index].number == nil
            let joins = isDevice && count > 0 && shared & ports[index].channels == 0 && ports.allSatisfy { $0.number == nil }
            if !joins { (count, shared) = (count + 1, 0) }
            shared |= ports[index].channels
            places[index] = UInt8(clamping: count - 1)
        }
        guard places.enumerated().contains(where: { $0.offset != Int($0.element) }) else { return tracks }
        return tracks.map { track in
            var track = track
            for index in track.events.indices { track.events[index].port = places[Int(track.events[index].port)] }
            return track
        }
    }
}
