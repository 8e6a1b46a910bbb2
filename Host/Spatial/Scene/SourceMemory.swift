// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Owns the render state of a source for one shape of its connection. Control thread.

import Realtime
import Rendering
import Synchronization

/// The render state of a source, and the parts to which it points.
final class SourceMemory: Sendable {
    // SAFETY: only the render thread uses the core; the shared state consists of atomics.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<SourceCore>
    private nonisolated(unsafe) let shared: UnsafeMutablePointer<SourceCore.Shared>
    private let shape: ConnectionShape
    /// The parts that the render thread may still use.
    private let parts = Mutex<[any AnyObject & Sendable]>([])
    private let line = Mutex<TravelLine?>(nil)
    private let heads = Mutex<[HeadResponses]>([])

    init(_ shape: ConnectionShape, _ reader: SceneReader, _ scene: SceneValues, hasField: Bool) {
        self.shape = shape
        shared = .allocate(capacity: 1)
        shared.initialize(to: SourceCore.Shared())
        core = .allocate(capacity: 1)
        let head = SourceCore.SourceHead(
            sampleRate: shape.sampleRate,
            // Cannot trap: a connection has a possible rate.
            glideCellCount: SpatialCell.glideCellCount(glideFrameCount: Int(max(0, min(1e6, shape.sampleRate * 0.02)))),
            hasField: hasField, latency: Double(SphericalHead().latencyFrameCount(sampleRate: shape.sampleRate)))
        let map = ValueMap(channelCount: shape.channelCount, sourceChannelCount: shape.sourceChannelCount)
        core.initialize(to: SourceCore(map, head, reader, shared, scene))
    }

    deinit {
        // Relaxed: no other thread has the source any more.
        var link = UnsafeMutablePointer<HeadLink>(bitPattern: shared.pointee.heads.load(ordering: .relaxed))
        while let this = link {
            link = this.pointee.next
            this.pointee.voice.deallocate()
            this.deallocate()
        }
        if let late = UnsafeMutablePointer<LateChannels>(bitPattern: shared.pointee.late.load(ordering: .relaxed)) {
            late.pointee.deallocate()
            late.deallocate()
        }
        core.pointee.deallocate()
        core.deallocate()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// The first argument of the processor's function.
    var context: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    /// The frames by which a spherical head delays its sources; 0 for a bus that is not for two ears.
    var headLatency: Int { shape.channelCount == 2 ? SphericalHead().latencyFrameCount(sampleRate: shape.sampleRate) : 0 }

    /// True if the bus is for two ears, or for their mean.
    var isForEars: Bool { shape.channelCount <= 2 }

    /// The channels of the source.
    var sourceChannelCount: Int { shape.sourceChannelCount }

    /// True if a connection of a shape can use this state.
    func fits(_ other: ConnectionShape) -> Bool {
        shape.channelCount == other.channelCount && shape.sourceChannelCount == other.sourceChannelCount
            && shape.sampleRate == other.sampleRate && shape.maximumFrameCount >= other.maximumFrameCount
    }

    /// Begins as a source that has not been heard, and no head hears its past; no thread renders it.
    func beginAgain() { core.pointee.beginAgain() }

    /// Makes the parts that settings need.
    func prepare(_ settings: SpatialSettings, _ panner: SpeakerPanner?, _ sum: HeadSums?, latencyFrameCount: Int) {
        if settings.algorithm == .measuredHead, isForEars, let sum, let head = settings.head { makeVoice(head, sum) }
        if settings.source.inHeadMode == .bypass, latencyFrameCount > 0 { makeLateChannels() }
        let air = settings.propagation.isAbsorbing ? AirTable.table(settings.propagation.air, sampleRate: shape.sampleRate) : nil
        parts.withLock { parts in
            for part in [air, panner] as [(any AnyObject & Sendable)?] {
                if let part, !parts.contains(where: { $0 === part }) { parts.append(part) }
            }
        }
        let fits = panner?.layout.places.count == shape.channelCount
        // Release: the parts are complete.
        shared.pointee.air.store(UInt(bitPattern: air?.rows.memory), ordering: .releasing)
        shared.pointee.panner.store(UInt(bitPattern: fits ? panner?.core : nil), ordering: .releasing)
        if settings.propagation.hasDoppler || settings.algorithm == .sphericalHead { makeLine() }
    }

    /// Makes the filters of a head, which stay.
    private func makeVoice(_ head: HeadResponses, _ sum: HeadSums) {
        heads.withLock { heads in
            guard !heads.contains(where: { $0 === head }) else { return }
            sum.prepare(head.format.transformSize)
            heads.append(head)
            let link = UnsafeMutablePointer<HeadLink>.allocate(capacity: 1)
            // Relaxed: the lock admits one writer.
            let next = UnsafeMutablePointer<HeadLink>(bitPattern: shared.pointee.heads.load(ordering: .relaxed))
            link.initialize(to: HeadLink(table: UnsafePointer(head.table), voice: HeadVoice(head.table), next: next))
            // Release: the link is complete.
            shared.pointee.heads.store(UInt(bitPattern: link), ordering: .releasing)
        }
    }

    /// Makes a memory for channels that go through, which stays.
    private func makeLateChannels() {
        // Relaxed: the processor's lock admits one writer.
        guard shared.pointee.late.load(ordering: .relaxed) == 0 else { return }
        let longest = max(HeadField.latencyFrameCount, SphericalHead().latencyFrameCount(sampleRate: shape.sampleRate))
        let late = UnsafeMutablePointer<LateChannels>.allocate(capacity: 1)
        late.initialize(
            to: LateChannels(
                channelCount: shape.sourceChannelCount, pastFrameCount: longest, frameCapacity: shape.maximumFrameCount))
        // Release: the memory is complete.
        shared.pointee.late.store(UInt(bitPattern: late), ordering: .releasing)
    }

    private func makeLine() {
        line.withLock { line in
            guard line == nil else { return }
            let new = TravelLine(sampleRate: shape.sampleRate)
            line = new
            // Release: the memory is complete.
            shared.pointee.line.store(UInt(bitPattern: new.core), ordering: .releasing)
        }
    }
}

extension AirTable {
    private static let tables = Mutex<[(air: Air, sampleRate: Double, table: AirTable)]>([])

    /// The table for an air and a rate, which sources share.
    static func table(_ air: Air, sampleRate: Double) -> AirTable {
        tables.withLock { tables in
            if let found = tables.first(where: { $0.air == air && $0.sampleRate == sampleRate }) { return found.table }
            let table = AirTable(air, sampleRate: sampleRate)
            // A program that changes the weather all the time does not fill the memory.
            if tables.count >= 16 { tables.removeFirst() }
            tables.append((air, sampleRate, table))
            return table
        }
    }
}
