// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Gives sources and listeners the space that a document describes, beside positions, which are values. Control thread.

import AudioGraph

/// The frame at which the ways of new nodes begin.
struct SpaceClock {
    let frame: Int64
    let sampleRate: Double

    /// The present frame of an engine; the first one before it renders.
    init(_ engine: AudioEngine, of document: GraphDocument) {
        let known = engine.format.sampleRate
        sampleRate = known > 0 ? known : document.sampleRate ?? 48_000
        frame = engine.lastRenderTime?.sampleTime ?? 0
    }
}

/// The way in which environments hear a source.
struct SourceSpace: Equatable {
    private var algorithm = AudioRenderingAlgorithm.equalPowerPanning
    private var mode: AudioSourceMode
    private var inHeadMode = AudioPointSourceInHeadMode.mono
    private var (obstruction, occlusion, reverbBlend): (Float, Float, Float) = (0, 0, 0)
    private var path: AudioPath?

    /// The space of a document's node, whose way begins at a frame.
    init(_ node: GraphDocument.Node, _ clock: SpaceClock) {
        let placement = node.placement
        mode = placement.mode ?? (node.hasPlace ? .pointSource : .bypass)
        algorithm = placement.algorithm ?? algorithm
        inHeadMode = placement.inHeadMode ?? inHeadMode
        (obstruction, occlusion) = (Float(placement.obstruction ?? 0), Float(placement.occlusion ?? 0))
        reverbBlend = Float(placement.reverbBlend ?? 0)
        path = placement.path.flatMap { $0.path(from: clock.frame, sampleRate: clock.sampleRate) }
    }

    /// The present space of a source.
    init(of source: any Audio3DMixing) {
        (algorithm, mode, inHeadMode) = (source.renderingAlgorithm, source.sourceMode, source.pointSourceInHeadMode)
        (obstruction, occlusion, path) = (source.obstruction, source.occlusion, source.path)
        reverbBlend = source.reverbBlend
    }

    /// Gives a source what differs; `keepsPath` leaves it on its way.
    func give(to source: any Audio3DMixing, keepsPath: Bool = false) {
        if source.renderingAlgorithm != algorithm { source.renderingAlgorithm = algorithm }
        if source.sourceMode != mode { source.sourceMode = mode }
        if source.pointSourceInHeadMode != inHeadMode { source.pointSourceInHeadMode = inHeadMode }
        if source.obstruction != obstruction { source.obstruction = obstruction }
        if source.occlusion != occlusion { source.occlusion = occlusion }
        if source.reverbBlend != reverbBlend { source.reverbBlend = reverbBlend }
        if !keepsPath, source.path != path { source.path = path }
    }
}

/// The head and the surroundings of a listener.
struct ListenerSpace {
    private var head: AudioHead?
    private var path: AudioPath?
    private var motion: AudioHeadMotion?
    private var outputType = AudioEnvironmentOutputType.auto
    private var distance = GraphDocument.Distance()
    private var air: GraphDocument.Air?
    private var hasDoppler = false
    private var reverb: GraphDocument.Reverb?

    /// The space of a document's environment, whose listener's way begins at a frame.
    init(_ environment: GraphDocument.Environment, _ files: ListenerFiles?, _ clock: SpaceClock) {
        head = files?.head
        motion = files?.poses?.motion(
            from: clock.frame, sampleRate: clock.sampleRate, shape: environment.headPoses?.shape ?? .lines)
        path = environment.path.flatMap { $0.path(from: clock.frame, sampleRate: clock.sampleRate) }
        (outputType, distance) = (environment.outputType ?? .auto, environment.distance ?? distance)
        (air, hasDoppler, reverb) = (environment.air, environment.hasDoppler, environment.reverb)
    }

    /// The present space of a listener.
    init(of environment: AudioEnvironmentNode) {
        let law = environment.distanceAttenuationParameters
        (head, path, outputType) = (environment.head, environment.listenerPath, environment.outputType)
        motion = environment.listenerMotion
        distance.model = law.distanceAttenuationModel
        (distance.reference, distance.maximum) = (Double(law.referenceDistance), Double(law.maximumDistance))
        distance.rolloff = Double(law.rolloffFactor)
        if environment.absorbsTreble {
            var air = GraphDocument.Air()
            (air.temperature, air.humidity) = (Double(environment.airTemperature), Double(environment.airHumidity))
            self.air = air
        }
        hasDoppler = environment.hasDopplerEffect
        reverb = GraphDocument.Reverb(of: environment.reverbParameters)
    }

    /// Gives a listener this space; `keepsPath` leaves it on its way, and `keepsMotion` lets its head turn on.
    func give(to environment: AudioEnvironmentNode, keepsPath: Bool = false, keepsMotion: Bool = false) {
        let law = environment.distanceAttenuationParameters
        if environment.head !== head { environment.head = head }
        if !keepsPath { environment.listenerPath = path }
        if !keepsMotion { environment.listenerMotion = motion }
        environment.outputType = outputType
        law.distanceAttenuationModel = distance.model
        (law.referenceDistance, law.maximumDistance) = (Float(distance.reference), Float(distance.maximum))
        law.rolloffFactor = Float(distance.rolloff)
        let usual = GraphDocument.Air()
        environment.airTemperature = Float(air?.temperature ?? usual.temperature)
        environment.airHumidity = Float(air?.humidity ?? usual.humidity)
        environment.absorbsTreble = air != nil
        environment.hasDopplerEffect = hasDoppler
        // Without a room no process is started.
        if let reverb { reverb.give(to: environment.reverbParameters) } else { environment.reverbParameters.enable = false }
    }
}

extension GraphContent {
    /// Gives a node the space of the document; `before` is the node as it was, if it stays.
    func setSpace(of node: GraphDocument.Node, at place: Int, before: GraphDocument.Node?, _ clock: SpaceClock) {
        setListener(of: node, at: place, before: before, clock)
        guard let source = places[place] as? any AudioMixing else { return }
        let space = SourceSpace(node, clock)
        let keepsPath = before.map { $0.placement.path == node.placement.path } ?? false
        if isShared(place) {
            for connection in connections(from: place) where connection.hasPlace {
                space.give(to: connection, keepsPath: keepsPath)
            }
        } else if before.map({ $0.placement != node.placement || $0.hasPlace != node.hasPlace }) ?? true {
            space.give(to: source, keepsPath: keepsPath)
        }
    }

    private func setListener(of node: GraphDocument.Node, at place: Int, before: GraphDocument.Node?, _ clock: SpaceClock) {
        guard case .environment(let environment) = node.kind, let made = places[place] as? AudioEnvironmentNode,
            before?.kind != node.kind
        else { return }
        let former: GraphDocument.Environment? = if case .environment(let former)? = before?.kind { former } else { nil }
        ListenerSpace(environment, listeners[place], clock).give(
            to: made, keepsPath: former.map { $0.path == environment.path } ?? false,
            keepsMotion: former.map { $0.headPoses == environment.headPoses } ?? false)
    }
}
