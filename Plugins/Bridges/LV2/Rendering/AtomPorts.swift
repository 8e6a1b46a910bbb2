// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Buffers of atom ports, and lists of them. Made by the control thread, used by the render thread.

/// The buffer of an atom port.
struct AtomPort {
    let buffer: UnsafeMutableRawPointer
    let capacity: UInt32
    let takesMIDI: Bool
    let takesTime: Bool
    let takesMessages: Bool
}

/// Some atom ports, at a fixed address.
///
/// Their buffers belong to the instances.
struct AtomPorts: ~Copyable {
    private let ports: UnsafeMutablePointer<AtomPort>
    let count: Int

    /// `[control]` Copies the list.
    init(_ list: [AtomPort]) {
        count = list.count
        ports = .allocate(capacity: max(1, count))
        for (index, port) in list.enumerated() { (ports + index).initialize(to: port) }
    }

    deinit { ports.deallocate() }

    subscript(index: Int) -> AtomPort {
        @_noLocks get { ports[index] }
    }
}
