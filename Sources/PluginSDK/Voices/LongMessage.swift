// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Joins the pieces of a system-exclusive message. Made on the control thread, then render thread.

/// The bytes of a system-exclusive message as its pieces arrive, on one cable at a time.
public struct LongMessage: ~Copyable {
    private let memory: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private var cable: UInt8 = 0
    private var isOpen = false
    /// The number of bytes so far.
    public private(set) var byteCount = 0

    /// `[control]` Makes room for messages of up to `capacity` bytes.
    public init(capacity: Int) {
        self.capacity = max(16, capacity)
        memory = .allocate(capacity: self.capacity)
        memory.initialize(repeating: 0, count: self.capacity)
    }

    deinit { memory.deallocate() }

    /// The bytes, valid until the next piece.
    public var bytes: UnsafePointer<UInt8> { @_noLocks get { UnsafePointer(memory) } }

    /// `[render]` Takes a piece; true if the message is whole now.
    ///
    /// The byte F0 starts anew. A piece without a beginning, and a message without room, are forgotten.
    @_noLocks
    public mutating func take(_ piece: MIDIMessage) -> Bool {
        guard piece.isSystemExclusivePiece else { return false }
        if piece[0] == 0xF0 { (isOpen, cable, byteCount) = (true, piece.cable, 0) }
        guard isOpen, piece.cable == cable else { return false }
        guard byteCount &+ Int(piece.byteCount) <= capacity else {
            isOpen = false
            return false
        }
        for index in 0..<Int(piece.byteCount) { memory[byteCount &+ index] = piece[index] }
        byteCount &+= Int(piece.byteCount)
        isOpen = piece.continues
        return !piece.continues
    }

    /// `[render]` The byte at a place; 0 behind the end.
    @_noLocks
    public func byte(_ index: Int) -> UInt8 { index >= 0 && index < byteCount ? memory[index] : 0 }
}
