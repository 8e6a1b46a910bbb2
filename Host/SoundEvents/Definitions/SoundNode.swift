// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The nodes of a sound event's tree. Any thread.

/// A node of a tree: a sound, or a choice among nodes.
///
/// A tree is a value. Register it at an `AssetRegistry`, and start it as a `SoundEvent`, as often as you like.
public indirect enum SoundNode: Sendable {
    /// Plays a sound.
    case sampler(Sampler)
    /// Plays the buffers that the program schedules; see `SoundEvent.pushStreams`.
    case push(SoundStream)
    /// Plays what the program renders; see `SoundEvent.pullStreams`.
    case pull(SoundStream)
    /// Starts one of several nodes by chance.
    case random(RandomChoice)
    /// Starts the node that a text names.
    case choice(TextChoice)
    /// Starts several nodes, each at a level that follows a parameter.
    case blend(Blend)
    /// Starts all of several nodes.
    case container([SoundNode])
}

/// A sound of a tree.
public struct Sampler: Sendable {
    /// The way in which a sound ends.
    public enum Playback: Hashable, Sendable {
        /// It ends with the asset.
        case oneShot
        /// It begins again, until the event is stopped.
        case looping
    }

    /// The behaviour of a sound after a sleep.
    ///
    /// Its mixer puts it to sleep while nobody would hear it, for example because it is far away.
    public enum Culling: UInt8, Hashable, Sendable {
        /// It ends instead.
        case terminate
        /// It begins anew.
        case sleepWakeAtZero
        /// It begins at a place by chance, which follows from the engine's seed.
        case sleepWakeAtRandomOffset
        /// It goes on as if it had played all the time, and ends then.
        case sleepWakeAtRealtimeOffset
        /// It never sleeps.
        case doNotCull
    }

    /// The identifier of a sound asset.
    public var asset: String
    /// The mixer that puts the sound to the output.
    public var mixer: SoundMixer
    /// The way in which it ends.
    public var playback = Playback.oneShot
    /// The way in which it goes on after a sleep.
    public var culling = Culling.terminate
    /// The rank under `SoundEngine.voiceLimit`, to which `SoundEvent.priority` is added; sounds of a lower one are dropped first.
    public var priority = 0
    /// The level as a factor.
    public var level = 1.0
    /// The speed, 0.25 to 4.
    public var rate = 1.0
    /// A gain that follows a parameter, 0 to 1.
    public var gain: SteeredValue?
    /// A speed that follows a parameter, and multiplies `rate`.
    public var steeredRate: SteeredValue?
    /// The identifier of a group; nil for none.
    public var group: String?

    /// Plays an asset once, through a mixer.
    public init(_ asset: String, mixer: SoundMixer, playback: Playback = .oneShot) {
        (self.asset, self.mixer, self.playback) = (asset, mixer, playback)
    }
}

/// A choice by chance.
public struct RandomChoice: Sendable {
    /// The nodes, and their weights; a weight below 1 counts as 1.
    public var nodes: [(node: SoundNode, weight: Double)]
    /// The number of starts before a node may repeat: the nodes of the last starts are not chosen.
    ///
    /// At least one node is always left.
    public var uniqueSelectionQueueLength = 0

    /// Makes a choice.
    public init(_ nodes: [(node: SoundNode, weight: Double)], uniqueSelectionQueueLength: Int = 0) {
        (self.nodes, self.uniqueSelectionQueueLength) = (nodes, uniqueSelectionQueueLength)
    }
}

/// A choice by a text.
public struct TextChoice: Sendable {
    /// The text.
    public var parameter: TextParameter
    /// The nodes, and the texts that choose them; another text starts none.
    public var nodes: [(text: String, node: SoundNode)]

    /// Makes a choice.
    public init(_ parameter: TextParameter, _ nodes: [(text: String, node: SoundNode)]) {
        (self.parameter, self.nodes) = (parameter, nodes)
    }
}

/// A blend of nodes.
public struct Blend: Sendable {
    /// The part of a parameter's values in which a node is heard.
    public struct Range: Sendable {
        /// The gain of the node over the parameter.
        public let envelope: Envelope
        /// The node.
        public let node: SoundNode

        /// Makes a range of any shape.
        public init(_ envelope: Envelope, _ node: SoundNode) { (self.envelope, self.node) = (envelope, node) }

        /// Full up to one value, silent from `value` on; nil if they do not rise.
        public init?(below value: Double, fullAt full: Double, curve: FadeCurve = .linear, _ node: SoundNode) {
            guard full <= value else { return nil }
            self.init(start: (full, 1), [(value, 0, curve)], node)
        }

        /// Silent up to `value`, full from another value on; nil if they do not rise.
        public init?(above value: Double, fullAt full: Double, curve: FadeCurve = .linear, _ node: SoundNode) {
            guard value <= full else { return nil }
            self.init(start: (value, 0), [(full, 1, curve)], node)
        }

        /// Silent up to `low` and from `high` on, full between two values; nil if the four do not rise.
        public init?(
            from low: Double, fullFrom: Double, to fullTo: Double, _ high: Double, lowCurve: FadeCurve = .linear,
            highCurve: FadeCurve = .linear, _ node: SoundNode
        ) {
            guard low <= fullFrom, fullFrom <= fullTo, fullTo <= high else { return nil }
            self.init(start: (low, 0), [(fullFrom, 1, lowCurve), (fullTo, 1, .linear), (high, 0, highCurve)], node)
        }

        private init?(start: (Double, Double), _ ends: [(Double, Double, FadeCurve)], _ node: SoundNode) {
            let segments = ends.map { Envelope.Segment(to: Envelope.Point(x: $0.0, y: $0.1), $0.2) }
            guard let envelope = Envelope(start: Envelope.Point(x: start.0, y: start.1), segments: segments) else { return nil }
            self.init(envelope, node)
        }
    }

    /// The parameter.
    public var parameter: NumberParameter
    /// The ranges.
    public var ranges: [Range]

    /// Makes a blend.
    public init(_ parameter: NumberParameter, _ ranges: [Range]) { (self.parameter, self.ranges) = (parameter, ranges) }
}
