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
    /// The directions of a bed's channels, and their number; no direction for a low-frequency channel.
    var bed: UnsafeMutablePointer<BedTable.Channel>?
    var bedChannelCount: Int
    /// The table of the head that hears the source; nil for another algorithm.
    var head: UnsafePointer<HeadTable>?
    /// The frames by which the algorithm delays the source.
    var latencyFrameCount: Int

    init(_ settings: SpatialSettings, _ bed: BedTable?, latencyFrameCount: Int) {
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
        return false
    }

    /// Turns the listener's head as at a frame, if it turns by itself.
    @_noLocks
    mutating func turnListener(toFrame frame: Double) {
        if let listenerTurn { listener.axes = listenerTurn.pointee.axes(at: frame) }
    }

    /// The place of the source at a frame.
    @_noLocks
    func sourcePlace(at frame: Double) -> SpacePoint {
        guard let sourcePath else { return source.position }
        return sourcePath.pointee.place(at: frame)
    }

    /// The place of the listener at a frame.
    @_noLocks
    func listenerPlace(at frame: Double) -> SpacePoint {
        guard let listenerPath else { return listener.position }
        return listenerPath.pointee.place(at: frame)
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
