// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The figures of the standard set, and their targets. Any thread.

/// One figure of each round, in the order of the document.
package enum Figure: CaseIterable, Sendable {
    case floor, unit, unitOverFloor, unitAtPaceOverFloor, unitTailOverFloor, further, furtherOverFloor, furtherAtPaceOverFloor
    case furtherSharedOverFloor
    case missedOf300, missedOf512, missedOf1000, tailOf300, tailOfRings300, medianOf300, medianOfRings300, tailOf512, tailOf1000
    case ringOverFloor, ringAtPaceOverFloor, chainOverRing, chainAtPaceOverRing, inProcess, spinning
    case bulkheadBackToBack, bulkheadTogether, bulkheadAnywhere, peerTogether, peerDefault
    case bulkheadChainTail, peerChainTail, peerDefaultChainTail
    case peerOverBulkhead, peerDefaultOverBulkhead, peerDefaultOverBulkheadAnywhere
    case ringOfPeers, peerOverRing, peerDefaultOverRing
    case offlineDistortion, offlineReverb, otherHosts, bulkheadFile, soxFile, ecasoundFile
    case otherHosts16, bulkheadFile16, soxFile16, ecasoundFile16, applypluginFile16
    case start, startOf64, written, proportionalOf16, proportionalOf512

    /// The figure's name in the document.
    package var name: String {
        switch self {
        case .floor: "floor: a bare hand-off there and back between two processes"
        case .unit: "one unit out of process, more than in process, 32 frames"
        case .unitOverFloor: "one unit at 32 frames: what it takes more than in process, over the floor"
        case .unitAtPaceOverFloor: "one unit at 32 frames: what it takes more than in process, over the floor, a cycle every 667 µs"
        case .unitTailOverFloor: "one unit at 32 frames: its p99.9 over the floor's p99.9"
        case .further: "each further unit of a chain of 16, more than in process, 32 frames"
        case .furtherOverFloor: "each further unit of a chain of 16, over the floor, without a pause between cycles"
        case .furtherAtPaceOverFloor: "each further unit of a chain of 16, over the floor, a cycle every 667 µs"
        case .furtherSharedOverFloor: "each further unit of a chain of 16 that shares a process, over the floor, without a pause"
        case .missedOf300: "300 units in 100 branches of 3, 256 frames, 60 s: deadlines missed"
        case .missedOf512: "512 units in 2 branches, 1024 frames, 60 s: deadlines missed"
        case .missedOf1000: "1000 units in 4 branches, 2048 frames, 60 s: deadlines missed"
        case .tailOf300: "p99.9 of the cycles of the 300 units, which may take 5.33 ms"
        case .tailOfRings300: "p99.9 of 100 bare rings of 3 processes, beside them"
        case .medianOf300: "median of the cycles of the 300 units"
        case .medianOfRings300: "median of 100 bare rings of 3 processes, beside them"
        case .tailOf512: "p99.9 of the cycles of the 512 units, which may take 21.33 ms"
        case .tailOf1000: "p99.9 of the cycles of the 1000 units, which may take 42.67 ms"
        case .ringOverFloor: "each process of a bare ring of 16, over the floor, without a pause between rounds"
        case .ringAtPaceOverFloor: "each process of a bare ring of 16, over the floor, a round every 667 µs"
        case .chainOverRing: "what a chain of 16 takes more than in process, over the bare ring, without a pause"
        case .chainAtPaceOverRing: "what a chain of 16 takes more than in process, over the bare ring, a cycle every 667 µs"
        case .inProcess: "in process, each unit, 32 frames"
        case .spinning: "one unit on another core that is waited for by spinning, 32 frames"
        case .bulkheadBackToBack: "Bulkhead, together, each unit of 16, 128 frames, without a pause between cycles"
        case .bulkheadTogether: "Bulkhead, together, each unit of 16, 128 frames"
        case .bulkheadAnywhere: "Bulkhead, wherever the kernel puts the threads, each unit of 16, 128 frames"
        case .peerTogether: "`pw_filter`, together, each client of 16, 128 frames"
        case .peerDefault: "`pw_filter`, as it comes, each client of 16, 128 frames"
        case .bulkheadChainTail: "Bulkhead, together, p99 of the whole chain of 16"
        case .peerChainTail: "`pw_filter`, together, p99 of the whole chain of 16"
        case .peerDefaultChainTail: "`pw_filter`, as it comes, p99 of the whole chain of 16"
        case .peerOverBulkhead: "`pw_filter` in the same place over Bulkhead"
        case .peerDefaultOverBulkhead: "`pw_filter` as it comes over Bulkhead in the place that it takes by itself"
        case .peerDefaultOverBulkheadAnywhere: "`pw_filter` as it comes over Bulkhead wherever the kernel puts the threads"
        case .ringOfPeers: "each process of a bare ring of 16, a round in the length of 128 frames"
        case .peerOverRing: "`pw_filter` in the same place over the bare ring"
        case .peerDefaultOverRing: "`pw_filter` as it comes over the bare ring"
        case .offlineDistortion: "a file through four Distortions: serially in process over in processes of their own"
        case .offlineReverb: "a file through four Reverbs: serially in process over in processes of their own"
        case .otherHosts: "a file through four TAP Reverberators (LADSPA): the fastest other host over Bulkhead"
        case .bulkheadFile: "the same file, `bulkhead render`"
        case .soxFile: "the same file, `sox`"
        case .ecasoundFile: "the same file, `ecasound`"
        case .otherHosts16: "the same with 16 bits instead of floating point: the fastest other host over Bulkhead"
        case .bulkheadFile16: "the file with 16 bits, `bulkhead render`"
        case .soxFile16: "the file with 16 bits, `sox`"
        case .ecasoundFile16: "the file with 16 bits, `ecasound`"
        case .applypluginFile16: "the file with 16 bits, `applyplugin`, which reads no other"
        case .start: "start to first block, median"
        case .startOf64: "start of 64 at once"
        case .written: "memory that a unit has written to"
        case .proportionalOf16: "memory of a chain of 16, each unit (PSS)"
        case .proportionalOf512: "memory of a chain of 512, all units (PSS)"
        }
    }

    /// The unit of its values.
    package var unit: String {
        switch self {
        case .unitOverFloor, .unitAtPaceOverFloor, .unitTailOverFloor, .furtherOverFloor, .furtherAtPaceOverFloor,
            .furtherSharedOverFloor, .ringOverFloor, .ringAtPaceOverFloor,
            .chainOverRing, .chainAtPaceOverRing, .offlineDistortion, .offlineReverb, .otherHosts, .otherHosts16,
            .peerOverBulkhead, .peerDefaultOverBulkhead, .peerDefaultOverBulkheadAnywhere,
            .peerOverRing, .peerDefaultOverRing:
            "×"
        case .bulkheadFile, .soxFile, .ecasoundFile, .bulkheadFile16, .soxFile16, .ecasoundFile16, .applypluginFile16: "s"
        case .missedOf300, .missedOf512, .missedOf1000: "cycles"
        case .start, .startOf64, .tailOf300, .tailOfRings300, .medianOf300, .medianOfRings300, .tailOf512, .tailOf1000: "ms"
        case .written, .proportionalOf16: "MB"
        case .proportionalOf512: "GB"
        default: "µs"
        }
    }

    /// The target; nil for a figure that is listed but not judged.
    package var limit: Limit? {
        switch self {
        case .unitOverFloor, .unitAtPaceOverFloor: .atMost(1.1)
        case .unitTailOverFloor: .atMost(1.5)
        case .furtherOverFloor, .furtherAtPaceOverFloor: .atMost(0.6)
        case .missedOf300, .missedOf512, .missedOf1000: .atMost(0)
        case .inProcess: .atMost(0.2)
        case .spinning: .atMost(1)
        case .peerOverBulkhead: .atLeast(3)
        case .peerDefaultOverBulkhead: .atLeast(10)
        case .offlineDistortion, .offlineReverb: .atLeast(1.7)
        case .otherHosts, .otherHosts16: .atLeast(1.5)
        case .start: .atMost(3)
        case .startOf64: .atMost(100)
        case .written: .atMost(0.8)
        case .proportionalOf16: .atMost(1.2)
        case .proportionalOf512: .atMost(0.6)
        default: nil
        }
    }
}
