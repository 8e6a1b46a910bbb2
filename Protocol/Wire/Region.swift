// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The mapped region of a unit, with typed access to shared state, slots and rings. The control thread sets it up, render
// threads use it.

import CWireLayout

/// A render request in its slot.
public typealias WireRequest = CWireLayout_Request
/// A reply in its slot.
public typealias WireReply = CWireLayout_Reply

/// Typed views of a mapped region.
///
/// The header has been copied and validated once, and is not read again.
public struct Region: @unchecked Sendable {
    // SAFETY: the maker of a region keeps the memory mapped; all state shared with a peer is atomic.
    /// The first byte of the mapping.
    public let base: UnsafeMutableRawPointer
    /// The validated copy of the header.
    public let header: RegionHeader

    /// `[control]` Takes a region whose header lies at `base`.
    ///
    /// Throws `WireViolation` if the header is not valid, or does not fit `byteCount`.
    public init(unsafeBase base: UnsafeMutableRawPointer, byteCount: Int) throws(WireViolation) {
        guard byteCount >= MemoryLayout<RegionHeader>.size else { throw WireViolation("a region of \(byteCount) bytes") }
        let header = base.load(as: RegionHeader.self)
        try header.validate(mappedByteCount: byteCount)
        self.base = base
        self.header = header
    }

    /// `[control]` Writes `header` at `base`, clears the rest, and takes the region.
    ///
    /// No other process may have it mapped yet.
    public init(unsafeFormatting base: UnsafeMutableRawPointer, as header: RegionHeader) {
        base.initializeMemory(as: UInt8.self, repeating: 0, count: Int(header.byteCount))
        base.storeBytes(of: header, as: RegionHeader.self)
        self.base = base
        self.header = header
    }

    /// `[any]` The number of slots, a power of two.
    public var slotCount: Int { @_noLocks get { Int(header.slotCount) } }

    /// `[render]` The newest request that the host has published.
    public var publishedSequence: SharedCounter { @_noLocks get { counter(header.hostWordsOffset) } }
    /// `[render]` True if the host reads the replies and does not sleep.
    public var hostSpins: SharedSpinFlag { @_noLocks get { flag(header.hostWordsOffset &+ 8) } }
    /// `[render]` True if the plug-in reads its doorbell again before it sleeps.
    public var pluginSpins: SharedSpinFlag { @_noLocks get { flag(header.pluginWordsOffset &+ 16) } }
    /// `[render]` The newest request whose reply is complete.
    public var completedSequence: SharedCounter { @_noLocks get { counter(header.pluginWordsOffset) } }
    /// `[render]` The newest request whose rendering has begun.
    public var startedSequence: SharedCounter { @_noLocks get { counter(header.pluginWordsOffset &+ 8) } }
    /// `[render]` The robust futex of the thread that renders; see `Lifeline`.
    public var lifeline: SharedFutexWord {
        @_noLocks get { SharedFutexWord(unsafeAddress: address(header.pluginWordsOffset &+ 192)) }
    }

    /// `[render]` The slot of a request, which the host writes.
    @_noLocks
    public func request(_ sequence: UInt64) -> UnsafeMutablePointer<WireRequest> {
        address(header.requestsOffset).assumingMemoryBound(to: WireRequest.self) + slot(of: sequence)
    }

    /// `[render]` The slot of a reply, which the plug-in writes.
    @_noLocks
    public func reply(_ sequence: UInt64) -> UnsafeMutablePointer<WireReply> {
        address(header.repliesOffset).assumingMemoryBound(to: WireReply.self) + slot(of: sequence)
    }

    @_noLocks
    private func slot(of sequence: UInt64) -> Int {
        Int(truncatingIfNeeded: sequence & UInt64(header.slotCount &- 1))
    }

    /// No check is needed: the offsets of a valid header lie in the mapping.
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
    /// `[control]` The host's end of the ring towards the plug-in.
    public func hostToPluginWriter() -> EventRingWriter { EventRingWriter(hostToPluginRing) }

    /// `[control]` The plug-in's end of the ring towards the plug-in.
    public func hostToPluginReader() -> EventRingReader { EventRingReader(hostToPluginRing) }

    /// `[control]` The plug-in's end of the ring towards the host.
    public func pluginToHostWriter() -> EventRingWriter { EventRingWriter(pluginToHostRing) }

    /// `[control]` The host's end of the ring towards the host.
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
