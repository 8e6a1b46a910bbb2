// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The layout of a unit's region, computed by the host and checked by the plug-in. Control thread.

import CWireLayout

/// The header at the start of a unit's region.
public typealias RegionHeader = CWireLayout_RegionHeader

extension RegionHeader {
    /// Lays out a region in whole pages.
    ///
    /// Every section begins on a cache line, so that no line has data of two writers. With few slots, the first page has
    /// everything that a cycle without events uses.
    public init(
        sampleRate: Double, maximumFrameCount: Int, slotCount: Int, inputBusCount: Int, outputBusCount: Int,
        eventCapacity: Int
    ) {
        self.init()
        magic = UInt32(CWireLayout_magic)
        version = UInt32(CWireLayout_layoutVersion)
        self.sampleRate = sampleRate
        self.maximumFrameCount = UInt32(maximumFrameCount)
        self.slotCount = UInt32(slotCount)
        self.inputBusCount = UInt32(inputBusCount)
        self.outputBusCount = UInt32(outputBusCount)
        hostToPluginEventCapacity = UInt32(eventCapacity)
        pluginToHostEventCapacity = UInt32(eventCapacity)
        placeSections()
    }

    private mutating func placeSections() {
        var offset = Self.rounded(UInt64(MemoryLayout<Self>.size), to: CWireLayout_cacheLineByteCount)
        hostWordsOffset = Self.place(sectionByteCounts.hostWords, at: &offset)
        pluginWordsOffset = Self.place(sectionByteCounts.pluginWords, at: &offset)
        requestsOffset = Self.place(sectionByteCounts.requests, at: &offset)
        repliesOffset = Self.place(sectionByteCounts.replies, at: &offset)
        hostToPluginEventsOffset = Self.place(sectionByteCounts.hostToPluginEvents, at: &offset)
        pluginToHostEventsOffset = Self.place(sectionByteCounts.pluginToHostEvents, at: &offset)
        byteCount = Self.rounded(offset, to: CWireLayout_pageByteCount)
    }

    private static func place(_ byteCount: UInt64, at offset: inout UInt64) -> UInt64 {
        defer { offset += rounded(byteCount, to: CWireLayout_cacheLineByteCount) }
        return offset
    }

    private static func rounded(_ byteCount: UInt64, to multiple: Int) -> UInt64 {
        let multiple = UInt64(multiple)
        return (byteCount + multiple - 1) / multiple * multiple
    }

    fileprivate var sectionByteCounts: SectionByteCounts { SectionByteCounts(self) }
}

/// The size of each section of a region in bytes.
private struct SectionByteCounts {
    let hostWords = UInt64(MemoryLayout<CWireLayout_HostWords>.size)
    let pluginWords = UInt64(MemoryLayout<CWireLayout_PluginWords>.size)
    let requests, replies, hostToPluginEvents, pluginToHostEvents: UInt64

    init(_ header: RegionHeader) {
        let event = UInt64(MemoryLayout<CWireLayout_Event>.stride)
        requests = UInt64(header.slotCount) * UInt64(MemoryLayout<CWireLayout_Request>.stride)
        replies = UInt64(header.slotCount) * UInt64(MemoryLayout<CWireLayout_Reply>.stride)
        hostToPluginEvents = UInt64(header.hostToPluginEventCapacity) * event
        pluginToHostEvents = UInt64(header.pluginToHostEventCapacity) * event
    }
}

extension RegionHeader {
    /// Checks that this version understands the header, and that every section lies inside the mapping.
    ///
    /// `mappedByteCount` is the size of the mapping. Throws `WireViolation`.
    public func validate(mappedByteCount: Int) throws(WireViolation) {
        guard magic == UInt32(CWireLayout_magic) else { throw WireViolation("the region has no Bulkhead header") }
        guard version == CWireLayout_layoutVersion else {
            throw WireViolation(
                "the region has layout version \(version); version \(CWireLayout_layoutVersion) is understood")
        }
        guard UInt64(exactly: mappedByteCount) == byteCount else {
            throw WireViolation("the region says it has \(byteCount) bytes and has \(mappedByteCount)")
        }
        try validateCounts()
        try validateSections()
    }

    private func validateCounts() throws(WireViolation) {
        guard sampleRate.isFinite, sampleRate > 0 else { throw WireViolation("a sample rate of \(sampleRate) Hz") }
        try check(maximumFrameCount, atMost: CWireLayout_maximumFrameCount, isPowerOfTwo: false, "frames")
        try check(slotCount, atMost: CWireLayout_maximumSlotCount, isPowerOfTwo: true, "slots")
        try check(hostToPluginEventCapacity, atMost: CWireLayout_maximumEventCapacity, isPowerOfTwo: true, "events")
        try check(pluginToHostEventCapacity, atMost: CWireLayout_maximumEventCapacity, isPowerOfTwo: true, "events")
        guard inputBusCount <= CWireLayout_maximumBusCount, outputBusCount <= CWireLayout_maximumBusCount else {
            throw WireViolation("\(inputBusCount) input and \(outputBusCount) output buses")
        }
    }

    private func check(_ count: UInt32, atMost limit: Int, isPowerOfTwo: Bool, _ what: String) throws(WireViolation) {
        guard count > 0, count <= limit, !isPowerOfTwo || count & (count - 1) == 0 else {
            throw WireViolation("\(count) \(what); the limit is \(limit)")
        }
    }

    private func validateSections() throws(WireViolation) {
        let sizes = sectionByteCounts
        let sections = [
            (hostWordsOffset, sizes.hostWords), (pluginWordsOffset, sizes.pluginWords),
            (requestsOffset, sizes.requests), (repliesOffset, sizes.replies),
            (hostToPluginEventsOffset, sizes.hostToPluginEvents), (pluginToHostEventsOffset, sizes.pluginToHostEvents),
        ]
        var end = UInt64(MemoryLayout<Self>.size)
        for (offset, size) in sections {
            guard offset % UInt64(CWireLayout_cacheLineByteCount) == 0, offset >= end, offset <= byteCount,
                size <= byteCount - offset
            else { throw WireViolation("a section at byte \(offset), \(size) bytes long, in \(byteCount) bytes") }
            end = offset + size
        }
    }
}
