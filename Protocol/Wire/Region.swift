// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's region, mapped: typed access to words, slots and rings. Set up on the control thread, used while rendering.

import CWireLayout

public typealias WireRequest = CWireLayout_Request
public typealias WireReply = CWireLayout_Reply

/// Typed views of a mapped region. The header was copied and validated once and is not read again.
public struct Region: @unchecked Sendable {
    // SAFETY: whoever makes one keeps the memory mapped; all words shared with a peer are atomics.
    public let base: UnsafeMutableRawPointer
    public let header: RegionHeader

    /// Takes a region whose header lies at `base`; throws when it is not valid.
    public init(unsafeBase base: UnsafeMutableRawPointer, byteCount: Int) throws(WireViolation) {
        guard byteCount >= MemoryLayout<RegionHeader>.size else { throw WireViolation("a region of \(byteCount) bytes") }
        let header = base.load(as: RegionHeader.self)
        try header.validate(mappedByteCount: byteCount)
        self.base = base
        self.header = header
    }

    /// Writes `header` at `base`, clears the rest and takes the region. Nobody else may have it mapped yet.
    public init(unsafeFormatting base: UnsafeMutableRawPointer, as header: RegionHeader) {
        base.initializeMemory(as: UInt8.self, repeating: 0, count: Int(header.byteCount))
        base.storeBytes(of: header, as: RegionHeader.self)
        self.base = base
        self.header = header
    }

    public var slotCount: Int { @_noLocks get { Int(header.slotCount) } }

    public var publishedSequence: SharedCounter { @_noLocks get { counter(header.hostWordsOffset) } }
    /// Whether the host looks at the answers, and the plug-in at its doorbell.
    public var hostSpins: SharedSpinFlag { @_noLocks get { flag(header.hostWordsOffset &+ 8) } }
    public var pluginSpins: SharedSpinFlag { @_noLocks get { flag(header.pluginWordsOffset &+ 16) } }
    public var completedSequence: SharedCounter { @_noLocks get { counter(header.pluginWordsOffset) } }
    public var startedSequence: SharedCounter { @_noLocks get { counter(header.pluginWordsOffset &+ 8) } }
    public var lifeline: SharedFutexWord {
        @_noLocks get { SharedFutexWord(unsafeAddress: address(header.pluginWordsOffset &+ 192)) }
    }

    /// The slot of a request; written by the host.
    @_noLocks
    public func request(_ sequence: UInt64) -> UnsafeMutablePointer<WireRequest> {
        address(header.requestsOffset).assumingMemoryBound(to: WireRequest.self) + slot(of: sequence)
    }

    /// The slot of a reply; written by the plug-in.
    @_noLocks
    public func reply(_ sequence: UInt64) -> UnsafeMutablePointer<WireReply> {
        address(header.repliesOffset).assumingMemoryBound(to: WireReply.self) + slot(of: sequence)
    }

    @_noLocks
    private func slot(of sequence: UInt64) -> Int {
        Int(truncatingIfNeeded: sequence & UInt64(header.slotCount &- 1))
    }

    /// No check: a valid header's offsets lie in the mapping.
    @_noLocks
    private func address(_ offset: UInt64) -> UnsafeMutableRawPointer { base + Int(truncatingIfNeeded: offset) }

    @_noLocks
    private func counter(_ offset: UInt64) -> SharedCounter { SharedCounter(unsafeAddress: address(offset)) }

    @_noLocks
    private func flag(_ offset: UInt64) -> SharedSpinFlag { SharedSpinFlag(unsafeAddress: address(offset)) }

    private func events(_ offset: UInt64) -> UnsafeMutablePointer<WireEvent> {
        address(offset).assumingMemoryBound(to: WireEvent.self)
    }
}

extension Region {
    /// The host's end of the ring towards the plug-in.
    public func hostToPluginWriter() -> EventRingWriter { EventRingWriter(hostToPluginRing) }

    /// The plug-in's end of the ring towards the plug-in.
    public func hostToPluginReader() -> EventRingReader { EventRingReader(hostToPluginRing) }

    /// The plug-in's end of the ring towards the host.
    public func pluginToHostWriter() -> EventRingWriter { EventRingWriter(pluginToHostRing) }

    /// The host's end of the ring towards the host.
    public func pluginToHostReader() -> EventRingReader { EventRingReader(pluginToHostRing) }

    private var hostToPluginRing: EventRing {
        EventRing(
            slots: events(header.hostToPluginEventsOffset), capacity: Int(header.hostToPluginEventCapacity),
            written: counter(header.hostWordsOffset + 64), read: counter(header.pluginWordsOffset + 64))
    }

    private var pluginToHostRing: EventRing {
        EventRing(
            slots: events(header.pluginToHostEventsOffset), capacity: Int(header.pluginToHostEventCapacity),
            written: counter(header.pluginWordsOffset + 128), read: counter(header.hostWordsOffset + 128))
    }
}
