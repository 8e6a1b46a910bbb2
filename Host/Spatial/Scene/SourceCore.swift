// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a source: its way, its place, its gains. Render thread.

import Realtime
import Rendering
import Synchronization

/// The render state of a source at an environment.
///
/// Time is divided into cells of 64 frames. Settings are taken and geometry is calculated at the start of a cell alone, so blocks of any
/// length have the same bits.
struct SourceCore {
    /// The parts that the control thread may exchange while the source plays.
    struct Shared: ~Copyable {
        let line = Atomic<UInt>(0)
        let air = Atomic<UInt>(0)
        let panner = Atomic<UInt>(0)
        let heads = Atomic<UInt>(0)
        let late = Atomic<UInt>(0)
    }

    static let scratchBlockCount = 4

    let map: ValueMap
    private let reader: SceneReader
    let shared: UnsafeMutablePointer<Shared>
    private let gains: UnsafeMutablePointer<Double>
    let head: SourceHead
    private(set) var values: GlidingValues
    var ears: HeadEars
    var travel: SourceTravel
    var airFilter = AirFilter()
    var obstacle = PointLowPass()
    /// The bands of the source's directivity, and those of the listener's.
    var sourceBands = BandFilter()
    var listenerBands = BandFilter()
    private(set) var line: UnsafeMutablePointer<TravelLine.Core>?
    private(set) var late: UnsafeMutablePointer<LateChannels>?
    private(set) var scene: SceneValues
    /// The frames of the present cell that have been rendered.
    var frame = SpatialCell.frameCount
    private var hasBegun = false
    private var wasMoving = false
    /// The moves that the goals know.
    private var moveCount: UInt64 = 0

    /// The values that follow from a connection's shape.
    struct SourceHead {
        let sampleRate: Double
        let glideCellCount: Int
        let hasField: Bool
        /// The frames before an ear that is as far as the middle of the head hears a source.
        let latency: Double
    }

    init(
        _ map: ValueMap, _ head: SourceHead, _ reader: SceneReader, _ shared: UnsafeMutablePointer<Shared>, _ scene: SceneValues
    ) {
        (self.map, self.head, self.reader, self.shared, self.scene) = (map, head, reader, shared, scene)
        values = GlidingValues(count: map.count)
        gains = .allocate(capacity: SpeakerPanner.mostChannels)
        gains.initialize(repeating: 0, count: SpeakerPanner.mostChannels)
        ears = HeadEars(pole: HeadShadow.pole(of: SphericalHead(), sampleRate: head.sampleRate))
        travel = SourceTravel(glideCellCount: head.glideCellCount)
    }

    func deallocate() {
        values.deallocate()
        gains.deallocate()
    }

    /// True if something of the past, before the gain of the connection, would be heard in silence.
    var isRinging: Bool {
        @_noLocks get {
            if obstacle.isRinging || airFilter.isRinging || ears.isRinging { return true }
            if sourceBands.isRinging || listenerBands.isRinging { return true }
            if let late, late.pointee.isRinging { return true }
            guard let line else { return false }
            return line.pointee.memory.isRinging(at: travel.isDirect ? 3 * head.latency : line.pointee.memory.longestDelay)
        }
    }

    /// Begins again as a source that has not been heard.
    @_noLocks
    mutating func forget() {
        (hasBegun, frame) = (false, SpatialCell.frameCount)
        obstacle.forget()
        airFilter.forget()
        sourceBands.forget()
        listenerBands.forget()
        ears.forget()
        line?.pointee.memory.forget()
        late?.pointee.forget()
    }

    /// Begins again, and lets heads forget it, too; no thread renders it.
    mutating func beginAgain() {
        forget()
        wasMoving = false
        forgetHeads()
    }

    /// Begins the cell whose first frame has this sample time; heads hear the place after `headFrameCount` frames.
    @_noLocks
    mutating func beginCell(_ time: Double, glideFrameCount: Int, headFrameCount: Int) {
        let isFresh = takeParts()
        if reader.take() || isFresh || !hasBegun { takeScene(time, glideFrameCount) }
        let end = time + Double(SpatialCell.frameCount)
        let (isMoving, moves) = (scene.isMoving(at: time), scene.moveCount)
        if isMoving || wasMoving || moves != moveCount {
            moveCount = moves
            scene.turn(toFrame: end)
            goals.write(scene, scene.sourcePlace(at: end), scene.listenerPlace(at: end))
            values.aim(over: 1, restarts: false)
            scene.turn(toFrame: time + Double(headFrameCount))
            aimHeads(scene, places(at: time + Double(headFrameCount)), glideFrameCount: HeadFormat.blockFrameCount, restarts: false)
        }
        wasMoving = isMoving
        values.beginCell()
        travel.beginCell(places(at: end), line, framesPerMetre: framesPerMetre)
        airFilter.aim(from: air(values.start), to: air(values.end), over: SpatialCell.frameCount)
        frame = 0
    }

    /// Takes new parts; true if there are any.
    @_noLocks
    private mutating func takeParts() -> Bool {
        // Acquire: the parts are complete.
        let next = UnsafeMutablePointer<TravelLine.Core>(bitPattern: shared.pointee.line.load(ordering: .acquiring))
        let nextLate = UnsafeMutablePointer<LateChannels>(bitPattern: shared.pointee.late.load(ordering: .acquiring))
        guard next != line || nextLate != late else { return false }
        (line, late) = (next, nextLate)
        return true
    }

    /// Takes new settings, which the values reach in 20 ms, or at once if the source has not been heard.
    @_noLocks
    private mutating func takeScene(_ time: Double, _ glideFrameCount: Int) {
        scene = reader.value
        moveCount = scene.moveCount
        scene.turn(toFrame: time)
        goals.write(scene, scene.sourcePlace(at: time), scene.listenerPlace(at: time))
        let glide = hasBegun ? glideFrameCount : 0
        sourceBands.take(scene.sourceDirectivity, sampleRate: head.sampleRate)
        listenerBands.take(scene.listenerDirectivity, sampleRate: head.sampleRate)
        obstacle.aim(at: scene.cutoffHertz, sampleRate: head.sampleRate, over: glide)
        aimHeads(scene, places(at: time), glideFrameCount: glide, restarts: true)
        if hasBegun {
            values.aim(over: head.glideCellCount, restarts: true)
            travel.aim(places(at: time), isOn: scene.hasDoppler, line, framesPerMetre: framesPerMetre)
        } else {
            values.jump()
            travel.begin(places(at: time), isOn: scene.hasDoppler, line, framesPerMetre: framesPerMetre)
            hasBegun = true
        }
    }

    @_noLocks
    private func places(at time: Double) -> (source: SpacePoint, listener: SpacePoint) {
        (scene.sourcePlace(at: time), scene.listenerPlace(at: time))
    }

    private var framesPerMetre: Double {
        @_noLocks get { head.sampleRate / scene.speedOfSound }
    }

    @_noLocks
    private func air(_ values: UnsafePointer<Float>) -> AirCoefficients {
        AirCoefficients(first: values[ValueMap.air], second: values[ValueMap.air &+ 1])
    }

    private var goals: SceneGoals {
        @_noLocks get {
            // Acquire: the parts are complete.
            let panner = UnsafeMutablePointer<SpeakerPanner.Core>(bitPattern: shared.pointee.panner.load(ordering: .acquiring))
            let air = UnsafeMutablePointer<AirCoefficients>(bitPattern: shared.pointee.air.load(ordering: .acquiring))
            return SceneGoals(map, values.goal, gains, panner, air, head, hasEars: line != nil, hasLateChannels: late != nil)
        }
    }

    /// Ends tails at the end of a cell.
    @_noLocks
    mutating func endCell() {
        airFilter.tidy()
        sourceBands.tidy()
        listenerBands.tidy()
        ears.tidy()
    }
}
