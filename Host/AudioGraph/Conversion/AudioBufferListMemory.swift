// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The list of buffers that programs for Apple's systems read: a count, and for each buffer its channels, bytes and address. Any thread.

/// Memory in the layout of an `AudioBufferList`.
package struct AudioBufferListMemory {
    /// One buffer of the list.
    private struct Entry {
        var channelCount: UInt32
        var byteCount: UInt32
        var data: UnsafeMutableRawPointer?
    }

    /// The list.
    package let start: UnsafeMutableRawPointer
    private let count: Int
    /// The count lies in front, and the entries are aligned as pointers are.
    private var entries: UnsafeMutablePointer<Entry> {
        @_noLocks get { (start + MemoryLayout<Entry>.alignment).assumingMemoryBound(to: Entry.self) }
    }

    /// A list of so many buffers without data, one channel each.
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

    /// `[render]` Says where buffer `index` lies, and how long it is.
    @_noLocks
    package func set(_ index: Int, _ data: UnsafeMutableRawPointer?, byteCount: Int) {
        entries[index].data = data
        entries[index].byteCount = UInt32(truncatingIfNeeded: byteCount)
    }

    /// `[render]` Says how many of the buffers count, at most as many as there are.
    @_noLocks package func setCount(_ count: Int) { start.storeBytes(of: UInt32(truncatingIfNeeded: count), as: UInt32.self) }

    /// Says how long all buffers are.
    func setByteCount(_ byteCount: Int) {
        for index in 0..<count { entries[index].byteCount = UInt32(clamping: byteCount) }
    }

    package func deallocate() { start.deallocate() }
}
