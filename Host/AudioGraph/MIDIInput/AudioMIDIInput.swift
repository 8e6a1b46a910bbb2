// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The incoming MIDI, and its connections to instruments. Any thread but the render thread.

import AudioUnits
import Rendering
import Synchronization

/// The MIDI that comes in while an engine plays: from the driver's ports, or from the program.
///
/// Connect a port to an instrument, and its messages are heard at their exact frames. Programs read incoming messages from
/// `AudioEngine.receivedMIDI`.
public final class AudioMIDIInput: Sendable {
    /// The largest number of ports.
    public static let mostPorts = 16
    /// The name of an engine's port if the program names none.
    public static let usualPortName = "midi_in"

    private struct State {
        var portNames: [String] = []
        var connections: [AudioMIDIConnection] = []
        /// The number of calls of `together` that are under way.
        var groupCount = 0
    }

    let line: MIDIInputLine
    private let state = Mutex(State())

    init(_ line: MIDIInputLine) { self.line = line }

    /// The names of the driver's ports, in the order of their numbers; at first none.
    ///
    /// The first connection makes one port, `usualPortName`, if there is none. A driver takes the names when it starts. Names beyond
    /// `mostPorts` are ignored.
    public var portNames: [String] {
        get { state.withLock { $0.portNames } }
        set { state.withLock { $0.portNames = Array(newValue.prefix(Self.mostPorts)) } }
    }

    /// The connections, in the order in which they were made.
    public var connections: [AudioMIDIConnection] { state.withLock { $0.connections } }

    /// Connects a port to an instrument, from the next cycle on; an instrument may have several connections.
    ///
    /// `port` is the number of a port; nil stands for all. `mapping` selects channels and keys, and transposes, for this connection alone.
    @discardableResult
    public func connect(
        port: Int? = nil, to instrument: AudioUnit, mapping: MIDIMapping = MIDIMapping()
    ) -> AudioMIDIConnection {
        let connection = AudioMIDIConnection(port: port, instrument, mapping)
        change { state in
            if state.portNames.isEmpty { state.portNames = [Self.usualPortName] }
            state.connections.append(connection)
        }
        return connection
    }

    /// Connects a port with the channels 0 to 15 and the keys 0 to 127 that pass, and the semitones by which keys are raised.
    @discardableResult
    public func connect(
        port: Int? = nil, to instrument: AudioUnit, channels: Set<Int>, keys: ClosedRange<Int> = 0...127, transpose: Int = 0
    ) -> AudioMIDIConnection {
        connect(port: port, to: instrument, mapping: MIDIMapping(channels: channels, keys: keys, transpose: transpose))
    }

    /// Ends a connection; the notes that it holds end.
    public func disconnect(_ connection: AudioMIDIConnection) { change { $0.connections.removeAll { $0 === connection } } }

    /// Ends all connections to an instrument.
    public func disconnect(_ instrument: AudioUnit) { change { $0.connections.removeAll { $0.instrument === instrument } } }

    /// Makes all changes of connections in `body` heard in one cycle; returns the number of the change in the log.
    package func together(_ body: () -> Void) -> UInt64 {
        state.withLock { $0.groupCount += 1 }
        body()
        return state.withLock { state in
            state.groupCount -= 1
            return line.route(state.connections.compactMap(\.route))
        }
    }

    /// Sends a message as if it had come in through a port, at a frame or with the next cycle.
    ///
    /// It has one to three bytes, or is a system-exclusive message from F0 to F7, which takes a place for each three of its bytes. Frames
    /// count from the start of rendering, as `manualRenderingSampleTime` does; a past frame becomes the next cycle's first. Returns false
    /// for other bytes, and while 1024 messages wait.
    @discardableResult
    public func send(_ bytes: [UInt8], port: Int = 0, at sampleTime: Int64? = nil) -> Bool {
        guard (0...255).contains(port) else { return false }
        if bytes.count > 3, MIDIMessage.isSystemExclusive(bytes) {
            return line.send(
                stride(from: 0, to: bytes.count, by: 3).map { start in
                    Self.packet(bytes[start..<min(start + 3, bytes.count)], port: port, at: sampleTime)
                })
        }
        guard (1...3).contains(bytes.count) else { return false }
        return line.send(Self.packet(bytes[...], port: port, at: sampleTime))
    }

    private static func packet(_ bytes: ArraySlice<UInt8>, port: Int, at sampleTime: Int64?) -> MIDIInputMessage {
        let bytes = Array(bytes)
        return MIDIInputMessage(
            sampleTime: sampleTime ?? .min, port: UInt8(port), byteCount: UInt8(bytes.count), bytes[0],
            bytes.count > 1 ? bytes[1] : 0, bytes.count > 2 ? bytes[2] : 0)
    }

    /// The number of messages that did not reach an instrument because too many came at once.
    public var droppedCount: Int { Int(clamping: line.droppedCount) }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            if state.groupCount == 0 { line.route(state.connections.compactMap(\.route)) }
        }
    }
}

/// A connection from a port to an instrument.
public final class AudioMIDIConnection: Sendable {
    /// The number of the port; nil for all ports.
    public let port: Int?
    /// The instrument.
    public let instrument: AudioUnit
    /// Selects the messages that pass, and changes them.
    public let mapping: MIDIMapping
    /// The route of the messages; nil if the plug-in could not be started.
    let route: MIDIRoute?

    init(port: Int?, _ instrument: AudioUnit, _ mapping: MIDIMapping) {
        (self.port, self.instrument, self.mapping) = (port, instrument, mapping)
        route = instrument.body.messagePort.map { MIDIRoute(from: port.map { UInt8(clamping: $0) }, mapping, to: $0) }
    }
}

extension MIDIMapping {
    /// Makes a mapping for channels 0 to 15, keys 0 to 127 and cables 0 to 255.
    ///
    /// Keys and cables are clamped; other channels are ignored.
    public init(
        channels: Set<Int>, keys: ClosedRange<Int> = 0...127, transpose: Int = 0, toChannel: Int? = nil, cable: Int = 0
    ) {
        self.init()
        self.cable = UInt8(clamping: cable)
        self.channels = channels.filter { (0...15).contains($0) }.reduce(0) { $0 | 1 << UInt16($1) }
        (lowestKey, highestKey) = (UInt8(max(0, min(127, keys.lowerBound))), UInt8(max(0, min(127, keys.upperBound))))
        transposition = Int8(max(-127, min(127, transpose)))
        channel = toChannel.map { UInt8(max(0, min(15, $0))) }
    }
}
