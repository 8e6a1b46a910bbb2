// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Holds the settings of a source as the render thread reads them: numbers and addresses. Any thread.

import Realtime

/// A listener's and a source's values without references.
struct SceneValues {
    var source: SpatialSource
    var listener: SpatialListener
    var algorithm: SpatialAlgorithm
    var hasDoppler: Bool
    var speedOfSound: Double
    var sourcePath: UnsafeMutablePointer<PathTable.Core>?
    var listenerPath: UnsafeMutablePointer<PathTable.Core>?
    var listenerTurn: UnsafeMutablePointer<TurnTable.Core>?
    var sourceMotion: UnsafePointer<SpatialMotion.Core>?
    var listenerMotion: UnsafePointer<SpatialMotion.Core>?
    var distanceCurve: UnsafePointer<DistanceCurve.Core>?
    var sourceDirectivity: UnsafePointer<DirectivityTable.Core>?
    var listenerDirectivity: UnsafePointer<DirectivityTable.Core>?
    /// The directions of a bed's channels, and their number; no direction for a low-frequency channel.
    var bed: UnsafeMutablePointer<BedTable.Channel>?
    var bedChannelCount: Int
    /// The table of the head that hears the source; nil for another algorithm.
    var head: UnsafePointer<HeadTable>?
    /// The frames by which the algorithm delays the source.
    var latencyFrameCount: Int

    init(_ settings: SpatialSettings, _ bed: BedTable?, _ directivities: DirectivityTables, latencyFrameCount: Int) {
        head = settings.algorithm == .measuredHead ? settings.head.map { UnsafePointer($0.table) } : nil
        self.latencyFrameCount = latencyFrameCount
        (source, listener, algorithm) = (settings.source, settings.listener, settings.algorithm)
        source.position = Self.bounded(source.position)
        listener.position = Self.bounded(listener.position)
        source.dampingDecibels = source.dampingDecibels.isNaN ? 0 : max(-200, min(0, source.dampingDecibels))
        source.level = source.level.isFinite ? max(-1000, min(1000, source.level)) : 0
        hasDoppler = settings.propagation.hasDoppler
        speedOfSound = settings.propagation.air.speedOfSound
        (sourcePath, listenerPath) = (settings.sourcePath?.table.core, settings.listenerPath?.table.core)
        listenerTurn = settings.listenerTurn?.table.core
        sourceMotion = settings.sourceMotion.map { UnsafePointer($0.core) }
        listenerMotion = settings.listenerMotion.map { UnsafePointer($0.core) }
        distanceCurve = settings.distanceCurve.map { UnsafePointer($0.core) }
        sourceDirectivity = directivities.source.map { UnsafePointer($0.core) }
        listenerDirectivity = directivities.listener.map { UnsafePointer($0.core) }
        (self.bed, bedChannelCount) = (bed?.channels, bed?.count ?? 0)
    }

    /// A place within ten thousand kilometres; the origin for one that is not finite.
    private static func bounded(_ place: SpacePoint) -> SpacePoint {
        place.isFinite
            ? place.clamped(lowerBound: SpacePoint(repeating: -1e7), upperBound: SpacePoint(repeating: 1e7)) : SpacePoint()
    }

    /// The cutoff of the obstacles' low pass; infinity for a source without a place.
    var cutoffHertz: Float {
        @_noLocks get { source.placing.hasPlace ? source.cutoffHertz : .infinity }
    }

    /// True if the source or the listener moves or turns after a frame.
    @_noLocks
    func isMoving(at frame: Double) -> Bool {
        if let sourcePath, sourcePath.pointee.isMoving(at: frame) { return true }
        if let listenerPath, listenerPath.pointee.isMoving(at: frame) { return true }
        if let listenerTurn, listenerTurn.pointee.isMoving(at: frame) { return true }
        if let sourceMotion, sourceMotion.pointee.isMoving(at: frame) { return true }
        if let listenerMotion, listenerMotion.pointee.isMoving(at: frame) { return true }
        return false
    }

    /// The moves of both so far, which a program has made while they are heard.
    var moveCount: UInt64 {
        @_noLocks get { (sourceMotion?.pointee.moveCount ?? 0) &+ (listenerMotion?.pointee.moveCount ?? 0) }
    }

    /// Turns the listener and the source as at a frame, if they turn by themselves.
    @_noLocks
    mutating func turn(toFrame frame: Double) {
        if let listenerMotion { listener.axes = listenerMotion.pointee.axes(at: frame) }
        if let listenerTurn { listener.axes = listenerTurn.pointee.axes(at: frame) }
        if let sourceMotion, sourceDirectivity != nil { source.axes = sourceMotion.pointee.axes(at: frame) }
    }

    /// The place of the source at a frame.
    @_noLocks
    func sourcePlace(at frame: Double) -> SpacePoint {
        if let sourcePath { return sourcePath.pointee.place(at: frame) }
        return sourceMotion?.pointee.place(at: frame) ?? source.position
    }

    /// The place of the listener at a frame.
    @_noLocks
    func listenerPlace(at frame: Double) -> SpacePoint {
        if let listenerPath { return listenerPath.pointee.place(at: frame) }
        return listenerMotion?.pointee.place(at: frame) ?? listener.position
    }
}

/// The directivities of a source and of its listener; nil for none.
struct DirectivityTables {
    var source: DirectivityTable?
    var listener: DirectivityTable?

    init() {}

    /// `[control]` Makes those of settings.
    init(_ settings: SpatialSettings) {
        source = settings.sourceDirectivity.map { DirectivityTable($0) }
        listener = settings.listenerDirectivity.map { DirectivityTable($0) }
    }
}

/// The directions of an ambience bed's channels.
final class BedTable: Sendable {
    struct Channel {
        let direction: SpacePoint
        let isLowFrequency: Bool
    }

    // SAFETY: the memory does not change after init.
    nonisolated(unsafe) let channels: UnsafeMutablePointer<Channel>
    let count: Int

    init(_ layout: SpeakerLayout) {
        count = layout.places.count
        channels = .allocate(capacity: max(1, count))
        for (index, place) in layout.places.enumerated() {
            (channels + index).initialize(to: Channel(direction: place.direction, isLowFrequency: place.isLowFrequency))
        }
    }

    deinit { channels.deallocate() }
}
