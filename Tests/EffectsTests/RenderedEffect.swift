// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An effect as a test sees it: settings and input in, output out.

/// A parameter's new value while an effect renders.
struct AutomationPoint {
    let seconds: Double
    let keyPath: String
    let value: Double
    /// Frames over which the value is reached; zero leaves it to the effect.
    var rampFrameCount = 0
}

/// An effect under test, the conditions that it renders under, and what happens to it meanwhile.
struct RenderedEffect {
    /// `type:subtype:manufacturer`.
    let id: String
    var sampleRate = 48_000.0
    var blockSize = 512
    /// Quarter notes a minute.
    var tempo = 120.0
    /// Set before rendering starts; parameters left out take their defaults.
    var values: [String: Double] = [:]
    var automation: [AutomationPoint] = []

    /// Renders one channel.
    func render(_ input: [Float]) async throws -> [Float] { try await render([input])[0] }

    /// The response to a single 1 at frame 0, `frameCount` frames long.
    func impulseResponse(frameCount: Int) async throws -> [Float] {
        var impulse = [Float](repeating: 0, count: frameCount)
        impulse[0] = 1
        return try await render(impulse)
    }

    func with(_ values: [String: Double]) -> RenderedEffect {
        var copy = self
        copy.values.merge(values) { $1 }
        return copy
    }
}
