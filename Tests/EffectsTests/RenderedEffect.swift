// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An effect as a test sees it: settings and input in, output out. Test thread.

/// A parameter's new value while an effect renders.
struct AutomationPoint {
    let seconds: Double
    let keyPath: String
    let value: Double
    /// Frames over which the value is reached; at zero the effect chooses.
    let rampFrameCount: UInt32

    init(_ seconds: Double, _ keyPath: String, _ value: Double, rampFrameCount: UInt32 = 0) {
        self.seconds = seconds
        self.keyPath = keyPath
        self.value = value
        self.rampFrameCount = rampFrameCount
    }
}

/// An effect under test, its render conditions, and what happens to it meanwhile.
struct RenderedEffect {
    /// `type:subtype:manufacturer`.
    let id: String
    var sampleRate: Double
    var channelCount: Int
    var blockSize: Int
    /// Values set before rendering starts; other parameters have the preset's values or their defaults.
    var values: [String: Double]
    /// A factory preset.
    var preset: String?
    var automation: [AutomationPoint]
    /// Quarter notes a minute.
    var tempo = 120.0
    var isInProcess = false
    var isBypassed = false
    /// When the effect is reset, in seconds.
    var resetSeconds: Double?

    init(
        _ id: String, sampleRate: Double = 48_000, channelCount: Int = 1, blockSize: Int = 512,
        _ values: [String: Double] = [:], preset: String? = nil, automation: [AutomationPoint] = []
    ) {
        self.id = id
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.blockSize = blockSize
        self.values = values
        self.preset = preset
        self.automation = automation
    }

    /// Renders one channel.
    func render(_ input: [Float]) throws -> [Float] { try render([input])[0] }

    /// The response of one channel to a single 1 at frame 0.
    func impulseResponse(frameCount: Int) throws -> [Float] {
        var impulse = [Float](repeating: 0, count: frameCount)
        impulse[0] = 1
        return try render(impulse)
    }

    func with(_ values: [String: Double]) -> RenderedEffect {
        var copy = self
        copy.values.merge(values) { $1 }
        return copy
    }
}
