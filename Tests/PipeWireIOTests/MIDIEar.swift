// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A render callback that listens for notes, and a file of notes for it. Render thread.

import Glibc
import PipeWireIO
import Rendering
import Synchronization

struct MIDIEarState: ~Copyable {
    let midi: UnsafePointer<PipeWireMIDI>
    let noteCount = Atomic<Int>(0)
    let lastNote = Atomic<Int>(-1)
    /// The bytes of system-exclusive messages, and the ends among them.
    let exclusiveByteCount = Atomic<Int>(0)
    let exclusiveEndCount = Atomic<Int>(0)
}

final class MIDIEar {
    private let state: UnsafeMutablePointer<MIDIEarState>

    init(midi: UnsafePointer<PipeWireMIDI>) {
        state = .allocate(capacity: 1)
        state.initialize(to: MIDIEarState(midi: midi))
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    var callback: RenderCallback { RenderCallback(function: hearNotes, context: UnsafeMutableRawPointer(state)) }
    var noteCount: Int { state.pointee.noteCount.load(ordering: .relaxed) }
    var lastNote: Int { state.pointee.lastNote.load(ordering: .relaxed) }

    var exclusiveByteCount: Int { state.pointee.exclusiveByteCount.load(ordering: .relaxed) }
    var exclusiveEndCount: Int { state.pointee.exclusiveEndCount.load(ordering: .relaxed) }

    /// A system-exclusive message of eight bytes.
    static let exclusive: [UInt8] = [0xF0, 0x7F, 0x7F, 0x04, 0x01, 0, 16, 0xF7]

    /// A standard MIDI file of one track: a system-exclusive message and middle C every half second, forty times.
    static func writeNotes(_ path: String) {
        var track: [UInt8] = []
        for _ in 0..<40 {
            track += [0, 0xF0, UInt8(exclusive.count - 1)] + exclusive.dropFirst()
            track += [0, 0x90, 60, 100, 96, 0x80, 60, 0]
        }
        track += [0, 0xFF, 0x2F, 0]
        let header: [UInt8] = [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
        let size = [UInt8(track.count >> 8), UInt8(track.count & 255)]
        let bytes = header + [0x4D, 0x54, 0x72, 0x6B, 0, 0] + size + track
        guard let file = fopen(path, "we") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}

@_noLocks
private func hearNotes(_ context: UnsafeMutableRawPointer?, _ cycle: UnsafeRawPointer?) {
    guard let context, let cycle else { return }
    let state = context.assumingMemoryBound(to: MIDIEarState.self)
    cycle.assumingMemoryBound(to: RenderCycle.self).pointee.outputs.silence()
    for index in 0..<state.pointee.midi.pointee.count {
        guard let event = state.pointee.midi.pointee.event(at: index) else { continue }
        if event.bytes.0 == 0xF0 || event.bytes.0 == 0xF7 || event.bytes.0 < 0x80 {
            state.pointee.exclusiveByteCount.add(event.byteCount, ordering: .relaxed)
            let last = event.byteCount == 3 ? event.bytes.2 : event.byteCount == 2 ? event.bytes.1 : event.bytes.0
            if last == 0xF7 { state.pointee.exclusiveEndCount.add(1, ordering: .relaxed) }
        }
        guard event.bytes.0 & 0xF0 == 0x90 else { continue }
        state.pointee.noteCount.add(1, ordering: .relaxed)
        state.pointee.lastNote.store(Int(event.bytes.1), ordering: .relaxed)
    }
}
