// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A list of buffers as programs for Apple's systems read it: a count, then channels, bytes and address of each buffer. Any thread.

/// Memory in the layout of an `AudioBufferList`.
package struct AudioBufferListMemory {
    /// One buffer of the list.
    private struct Entry {
        var channelCount: UInt32
        var byteCount: UInt32
        var data: UnsafeMutableRawPointer?
    }

    /// The address of the list.
    package let start: UnsafeMutableRawPointer
    private let count: Int
    /// The entries behind the count, aligned as pointers are.
    private var entries: UnsafeMutablePointer<Entry> {
        @_noLocks get { (start + MemoryLayout<Entry>.alignment).assumingMemoryBound(to: Entry.self) }
    }

    /// Makes a list of `count` buffers without data, one channel each.
    package init(count: Int) {
        self.count = count
        let byteCount = MemoryLayout<Entry>.alignment + max(1, count) * MemoryLayout<Entry>.stride
        start = .allocate(byteCount: byteCount, alignment: MemoryLayout<Entry>.alignment)
        start.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        start.storeBytes(of: UInt32(count), as: UInt32.self)
        let entries = (start + MemoryLayout<Entry>.alignment).bindMemory(to: Entry.self, capacity: max(1, count))
        for index in 0..<count { entries[index].channelCount = 1 }
    }

    init(planes: [UnsafeMutableRawPointer], channelsOfEach channelCount: Int) {
        self.init(count: planes.count)
        for (index, plane) in planes.enumerated() {
            entries[index] = Entry(channelCount: UInt32(channelCount), byteCount: 0, data: plane)
        }
    }

    /// `[render]` Sets the address and the length of buffer `index`.
    @_noLocks
    package func set(_ index: Int, _ data: UnsafeMutableRawPointer?, byteCount: Int) {
        entries[index].data = data
        entries[index].byteCount = UInt32(truncatingIfNeeded: byteCount)
    }

    /// `[render]` Sets how many of the buffers are valid, at most as many as there are.
    @_noLocks package func setCount(_ count: Int) { start.storeBytes(of: UInt32(truncatingIfNeeded: count), as: UInt32.self) }

    /// Sets the length of all buffers.
    func setByteCount(_ byteCount: Int) {
        for index in 0..<count { entries[index].byteCount = UInt32(clamping: byteCount) }
    }

    package func deallocate() { start.deallocate() }
}
