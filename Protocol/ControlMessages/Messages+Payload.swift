// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The encoding of messages: the kind and the body of each. Control thread.

import AudioFormats
import AudioUnits
import CWireLayout
import Wire

extension HostMessage {
    /// The number of the kind, for the header.
    package var kind: UInt16 {
        switch self {
        case .hello: UInt16(CWireLayout_messageHello)
        case .allocate: UInt16(CWireLayout_messageAllocate)
        case .deallocate: UInt16(CWireLayout_messageDeallocate)
        case .setParameters: UInt16(CWireLayout_messageSetParameters)
        case .selectPreset: UInt16(CWireLayout_messageSelectPreset)
        case .saveState: UInt16(CWireLayout_messageSaveState)
        case .restoreState: UInt16(CWireLayout_messageRestoreState)
        case .reset: UInt16(CWireLayout_messageReset)
        case .shutdown: UInt16(CWireLayout_messageShutdown)
        case .listUnits: UInt16(CWireLayout_messageListUnits)
        case .setText: UInt16(CWireLayout_messageSetText)
        case .addUnit: UInt16(CWireLayout_messageAddUnit)
        case .wire: UInt16(CWireLayout_messageWire)
        case .openView: UInt16(CWireLayout_messageOpenView)
        }
    }

    /// The body as bytes.
    package var body: [UInt8] {
        var writer = PayloadWriter()
        switch self {
        case .hello(let versions, let hostName, let locator):
            writer.write(versions)
            writer.write(hostName)
            writer.write(locator) { $0.write($1) }
        case .allocate(let allocation): writer.write(allocation)
        case .setParameters(let settings):
            writer.write(settings) { writer, setting in
                writer.write(setting.address)
                writer.write(setting.value)
            }
        case .selectPreset(let index): writer.write(index)
        case .restoreState(let state): state.write(to: &writer)
        case .listUnits(let place): writer.write(place)
        case .setText(let identifier, let value):
            writer.write(identifier)
            writer.write(value)
        case .addUnit(let library): writer.write(library)
        case .wire(let rewiring): writer.write(rewiring)
        case .openView(let opening):
            writer.write(opening.size)
            writer.write(UInt32(clamping: opening.colorCount))
        case .deallocate, .saveState, .reset, .shutdown: break
        }
        return writer.bytes
    }

    /// Reads a message.
    ///
    /// Throws `WireViolation` for an unknown kind, or a body that does not fit it.
    package init(kind: UInt16, body: [UInt8]) throws(WireViolation) {
        var reader = PayloadReader(body)
        switch Int(kind) {
        case CWireLayout_messageHello:
            self = .hello(
                try reader.readVersions(), hostName: try reader.readString(), locator: try reader.readTexts())
        case CWireLayout_messageAllocate: self = .allocate(try reader.readAllocation())
        case CWireLayout_messageDeallocate: self = .deallocate
        case CWireLayout_messageSetParameters: self = .setParameters(try reader.readSettings())
        case CWireLayout_messageSelectPreset: self = .selectPreset(try reader.read(UInt32.self))
        case CWireLayout_messageSaveState: self = .saveState
        case CWireLayout_messageRestoreState: self = .restoreState(try FullState(from: &reader))
        case CWireLayout_messageReset: self = .reset
        case CWireLayout_messageShutdown: self = .shutdown
        case CWireLayout_messageListUnits: self = .listUnits(location: try reader.readString())
        case CWireLayout_messageSetText:
            self = .setText(identifier: try reader.readString(), value: try reader.readString())
        case CWireLayout_messageAddUnit: self = .addUnit(library: try reader.readString())
        case CWireLayout_messageWire: self = .wire(try reader.readRewiring())
        case CWireLayout_messageOpenView:
            self = .openView(ViewOpening(size: try reader.readViewSize(), colorCount: Int(try reader.read(UInt32.self))))
        default: throw WireViolation("a message of unknown kind \(kind)")
        }
        if case .hello = self { return }  // A newer host may add fields to its hello.
        try reader.finish()
    }
}

extension PluginMessage {
    /// The number of the kind, for the header.
    package var kind: UInt16 {
        switch self {
        case .welcome: UInt16(CWireLayout_messageWelcome)
        case .done: UInt16(CWireLayout_messageDone)
        case .refused: UInt16(CWireLayout_messageRefused)
        case .allocated: UInt16(CWireLayout_messageAllocated)
        case .state: UInt16(CWireLayout_messageState)
        case .versionRefused: UInt16(CWireLayout_messageVersionRefused)
        case .units: UInt16(CWireLayout_messageUnits)
        case .viewOpened: UInt16(CWireLayout_messageViewOpened)
        }
    }

    /// The body as bytes.
    package var body: [UInt8] {
        var writer = PayloadWriter()
        switch self {
        case .welcome(let welcome): writer.write(welcome)
        case .done: break
        case .refused(let reason): writer.write(reason)
        case .allocated(let latency, let tail, let thread):
            writer.write(latency)
            writer.write(tail)
            writer.write(thread)
        case .state(let state): state.write(to: &writer)
        case .versionRefused(let versions, let name):
            writer.write(versions)
            writer.write(name)
        case .units(let listing): listing.write(to: &writer)
        case .viewOpened(let sizes): writer.write(sizes) { $0.write($1) }
        }
        return writer.bytes
    }

    /// Reads a message.
    ///
    /// Throws `WireViolation` for an unknown kind, or a body that does not fit it.
    package init(kind: UInt16, body: [UInt8]) throws(WireViolation) {
        var reader = PayloadReader(body)
        switch Int(kind) {
        case CWireLayout_messageWelcome:
            guard body.count <= WireLimits.welcomeByteCount else { throw WireViolation("a welcome of \(body.count) bytes") }
            self = .welcome(try reader.readWelcome())
        case CWireLayout_messageDone: self = .done
        case CWireLayout_messageRefused: self = .refused(try reader.readString())
        case CWireLayout_messageAllocated:
            self = .allocated(
                latencyFrameCount: try reader.read(UInt32.self), tailFrameCount: try reader.read(UInt32.self),
                renderThread: try reader.read(Int32.self))
        case CWireLayout_messageState: self = .state(try FullState(from: &reader))
        case CWireLayout_messageVersionRefused:
            self = .versionRefused(try reader.readVersions(), name: try reader.readString())
        case CWireLayout_messageUnits:
            guard body.count <= WireLimits.listingByteCount else { throw WireViolation("a listing of \(body.count) bytes") }
            self = .units(try UnitListing(from: &reader))
        case CWireLayout_messageViewOpened:
            let most = Int(CWireLayout_maximumViewSizeCount)
            self = .viewOpened(
                try reader.readItems("sizes", most: most, minimumByteCount: 8) { reader throws(WireViolation) in
                    try reader.readViewSize()
                })
        default: throw WireViolation("a message of unknown kind \(kind)")
        }
        try reader.finish()
    }
}

extension PayloadWriter {
    fileprivate mutating func write(_ versions: VersionRange) {
        write(versions.minimum)
        write(versions.maximum)
    }

    fileprivate mutating func write(_ size: ViewSize) {
        write(UInt32(size.columnCount))
        write(UInt32(size.rowCount))
    }

    fileprivate mutating func write(_ welcome: Welcome) {
        write(welcome.version)
        welcome.description.write(to: &self)
        welcome.parameters.write(to: &self)
        write(welcome.texts) { $1.write(to: &$0) }
        write(welcome.factoryPresets) { $1.write(to: &$0) }
    }

    fileprivate mutating func write(_ allocation: Allocation) {
        write(allocation.sampleRate)
        write(UInt32(allocation.maximumFrameCount))
        write(allocation.inputs) { $0.write(UInt32($1.channelCount)) }
        write(allocation.outputs) { $0.write(UInt32($1.channelCount)) }
        write(allocation.output)
        write(allocation.connections)
        write(UInt8(allocation.hasSuccessor ? 1 : 0))
        guard allocation.saysSpeakers else { return }
        for formats in [allocation.inputs, allocation.outputs] {
            write(formats) { $0.write($1.layout?.speakers ?? []) { $0.write(UInt8($1.rawValue)) } }
        }
    }

    fileprivate mutating func write(_ rewiring: Rewiring) {
        write(UInt32(rewiring.number))
        write(rewiring.connections)
        write(UInt8(rewiring.hasSuccessor ? 1 : 0))
    }

    private mutating func write(_ connections: [InputConnection?]) {
        write(connections) { writer, connection in
            writer.write(UInt8(connection == nil ? 0 : 1))
            guard let connection else { return }
            writer.write(connection.layout)
            writer.write(UInt32(connection.firstChannel))
        }
    }

    private mutating func write(_ layout: AudioMemoryLayout) {
        write(UInt32(layout.slotCount))
        write(UInt32(layout.channelCount))
        write(UInt32(layout.frameStride))
    }
}

extension PayloadReader {
    fileprivate mutating func readVersions() throws(WireViolation) -> VersionRange {
        VersionRange(minimum: try read(UInt32.self), maximum: try read(UInt32.self))
    }

    fileprivate mutating func readViewSize() throws(WireViolation) -> ViewSize {
        let (columns, rows) = (Int(try read(UInt32.self)), Int(try read(UInt32.self)))
        let most = Int(CWireLayout_maximumViewCellCount)
        guard columns > 0, rows > 0, columns <= most, rows <= most, columns * rows <= most else {
            throw WireViolation("a view of \(columns) by \(rows) cells")
        }
        return ViewSize(columnCount: columns, rowCount: rows)
    }

    fileprivate mutating func readWelcome() throws(WireViolation) -> Welcome {
        let version = try read(UInt32.self)
        let description = try UnitDescription(from: &self)
        let parameters = try ParameterTree(from: &self)
        let texts = try readItems("texts", most: WireLimits.textCount, minimumByteCount: 9) { reader throws(WireViolation) in
            try TextProperty(from: &reader)
        }
        try Self.check(texts, besides: parameters)
        let presets = try readItems("presets", most: WireLimits.presetCount, minimumByteCount: 8) { reader throws(WireViolation) in
            try FactoryPreset(from: &reader)
        }
        return Welcome(
            version: version, description: description, parameters: parameters, texts: texts, factoryPresets: presets)
    }

    /// Checks that no text has the name of a parameter, since both are set by name.
    private static func check(_ texts: [TextProperty], besides parameters: ParameterTree) throws(WireViolation) {
        var seen: Set<String> = []
        for text in texts {
            guard !text.identifier.isEmpty else { throw WireViolation("a text without an identifier") }
            guard parameters[keyPath: text.identifier] == nil, seen.insert(text.identifier).inserted else {
                throw WireViolation("a text \"\(text.identifier)\", which is the name of something else too")
            }
        }
    }

    mutating func readTexts() throws(WireViolation) -> [String] {
        try readItems(minimumByteCount: 4) { reader throws(WireViolation) in try reader.readString() }
    }

    fileprivate mutating func readSettings() throws(WireViolation) -> [ParameterSetting] {
        try readItems(minimumByteCount: 16) { reader throws(WireViolation) in
            ParameterSetting(address: try reader.read(UInt64.self), value: try reader.readDouble())
        }
    }

    fileprivate mutating func readAllocation() throws(WireViolation) -> Allocation {
        let sampleRate = try readDouble()
        let maximumFrameCount = Int(try read(UInt32.self))
        guard sampleRate.isFinite, sampleRate > 0, maximumFrameCount > 0, maximumFrameCount <= WireLimits.frameCount else {
            throw WireViolation("an allocation of \(maximumFrameCount) frames at \(sampleRate) Hz")
        }
        var inputs = try readFormats()
        var outputs = try readFormats()
        let output = try readLayout()
        let connections = try readConnections()
        let hasSuccessor = try read(UInt8.self) != 0
        if remainingByteCount > 0 {
            try readSpeakers(of: &inputs)
            try readSpeakers(of: &outputs)
        }
        return Allocation(
            sampleRate: sampleRate, maximumFrameCount: maximumFrameCount, inputs: inputs, outputs: outputs,
            output: output, connections: connections, hasSuccessor: hasSuccessor)
    }

    fileprivate mutating func readRewiring() throws(WireViolation) -> Rewiring {
        let number = Int(try read(UInt32.self))
        let connections = try readConnections()
        guard connections.count <= WireLimits.busCount else { throw WireViolation("\(connections.count) inputs") }
        return Rewiring(number: number, connections: connections, hasSuccessor: try read(UInt8.self) != 0)
    }

    private mutating func readConnections() throws(WireViolation) -> [InputConnection?] {
        try readItems(minimumByteCount: 1) { reader throws(WireViolation) in try reader.readConnection() }
    }

    private mutating func readFormats() throws(WireViolation) -> [BusFormat] {
        let formats = try readItems(minimumByteCount: 4) { reader throws(WireViolation) in
            BusFormat(channelCount: try reader.readChannelCount())
        }
        guard formats.count <= WireLimits.busCount else { throw WireViolation("\(formats.count) buses") }
        return formats
    }

    private mutating func readSpeakers(of formats: inout [BusFormat]) throws(WireViolation) {
        let buses = try readItems(minimumByteCount: 4) { reader throws(WireViolation) in
            try reader.readItems(minimumByteCount: 1) { reader throws(WireViolation) in try reader.read(UInt8.self) }
        }
        guard buses.count == formats.count else { throw WireViolation("speakers of \(buses.count) buses for \(formats.count)") }
        for (bus, numbers) in buses.enumerated() where !numbers.isEmpty {
            guard numbers.count == formats[bus].channelCount else {
                throw WireViolation("\(numbers.count) speakers for \(formats[bus].channelCount) channels")
            }
            let speakers = numbers.compactMap { Speaker(rawValue: Int($0)) }
            guard speakers.count == numbers.count, let layout = ChannelLayout(speakers) else {
                throw WireViolation("a speaker that does not exist, or one for two channels")
            }
            formats[bus].layout = layout
        }
    }

    private mutating func readConnection() throws(WireViolation) -> InputConnection? {
        guard try read(UInt8.self) != 0 else { return nil }
        let layout = try readLayout()
        return InputConnection(layout: layout, firstChannel: try readChannelCount())
    }

    private mutating func readLayout() throws(WireViolation) -> AudioMemoryLayout {
        let (slots, channels, stride) = (try read(UInt32.self), try read(UInt32.self), try read(UInt32.self))
        guard let layout = AudioMemoryLayout(slotCount: slots, channelCount: channels, frameStride: stride) else {
            throw WireViolation("audio memory of \(slots) blocks, \(channels) channels, \(stride) frames")
        }
        return layout
    }
}
