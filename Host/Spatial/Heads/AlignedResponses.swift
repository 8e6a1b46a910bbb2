// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Responses on one sphere, with their delays taken out: aligned, closed over the poles, made finer. Control thread.

/// The responses of one distance, at directions that cover the whole sphere, as spectra.
///
/// A response is what remains after its delay is taken out. So neighbours are aligned, and a mean of them has one onset. A delay is a
/// multiple of the step of the table of delays: its whole frames are taken out of the samples, and the rest out of the spectra, where a
/// delay puts it back exactly. So measured directions, which come first, have exactly their measured responses.
struct AlignedResponses {
    private(set) var mesh: SphereMesh
    /// The frames of the longest response behind the time 0, and of those before it.
    private let length: Int
    private let leadCount: Int
    /// The frame after the time 0 at which the sound arrives.
    let onsetFrame: Int
    /// The parts of a filter, a spectrum each.
    let partCount: Int
    private let transform: SpectralTransform
    /// For each direction the filter of the left ear, then that of the right one.
    private(set) var filters: [Float] = []
    /// For each direction the delay of the left ear, then of the right ear, in frames.
    private(set) var delays: [Double]

    /// Directions are made finer until there are so many, if they are measured about 5 degrees apart.
    private static let wantedDirectionCount = 2000

    /// Aligns the measurements of one distance.
    ///
    /// Short filters begin shortly before the first sound arrives. Whole ones keep the time before it, unless they are mixed with those of
    /// another distance.
    init(
        _ shell: HeadShell, _ format: HeadFormat, _ quality: HeadQuality, gain: Double, isMixed: Bool,
        _ transform: SpectralTransform
    ) throws(HeadSetError) {
        guard let closed = SphereMesh(shell.closedDirections) else {
            throw HeadSetError(
                shell.measurements.name, "its \(shell.members.count) directions do not surround the head")
        }
        (mesh, self.transform) = (closed, transform)
        let set = shell.measurements
        let scale = format.sampleRate / set.sampleRate
        let onsets = shell.members.flatMap { index in (0..<2).map { set.onset(index, ear: $0) * scale }
        }
        let earliest = max(0, (onsets.min() ?? 0).rounded(.down))
        let steps = Double(format.delayStepCount)
        delays = onsets.map {
            min(Double(format.longestDelay), max(0, (($0 - earliest) * steps).rounded() / steps))
        }
        let beginning = max(0, earliest - Double(format.leadFrameCount))
        let start = quality == .short || isMixed ? beginning : 0
        switch quality {
        case .short: (leadCount, length) = (0, format.shortFrameCount)
        case .whole: (leadCount, length) = (Int(delays.max() ?? 0), Self.wholeFrameCount(set, scale))
        }
        onsetFrame = Int(earliest - start)
        partCount = max(1, (length + format.partFrameCount - 1) / format.partFrameCount)
        let reader = ResponseReader(from: set.sampleRate, to: format.sampleRate)
        for (place, index) in shell.members.enumerated() {
            for ear in 0..<2 {
                let (response, delay) = (set.response(index, ear: ear), set.delay(index, ear: ear))
                let whole = delays[2 * place + ear].rounded(.down)
                var samples = (-leadCount..<length).map { frame in
                    Float(gain * reader.sample(response, at: start + whole + Double(frame), delay: delay))
                }
                if quality == .short { Self.fadeOut(&samples) }
                appendFilter(of: samples, advancedBy: delays[2 * place + ear] - whole)
            }
        }
        for index in shell.members.count..<mesh.directions.count { closeCap(index) }
        while mesh.directions.count < Self.wantedDirectionCount { refine() }
    }

    /// The frames of the longest response with its delay.
    private static func wholeFrameCount(_ set: HeadMeasurements, _ scale: Double) -> Int {
        let delay =
            set.positions.indices.lazy.map { max(set.delay($0, ear: 0), set.delay($0, ear: 1)) }.max()
            ?? 0
        let end = (Double(set.tapCount) + delay) * scale
        // A converted response rings on for the length of the kernel.
        // Cannot trap: measurements have 64 million samples at most, and a rate changes by a factor of 100 at most.
        return Int(end.rounded(.up))
            + (scale == 1 && delay == delay.rounded() ? 0 : Int(32 * max(1, scale)))
    }

    /// Fades a response out over its last eighth, so that the cut is no edge.
    private static func fadeOut(_ samples: inout [Float]) {
        let count = samples.count / 8
        for frame in 0..<count {
            let share = Float(frame + 1) / Float(count + 1)
            samples[samples.count - count + frame] *= 1 - share * share * (3 - 2 * share)
        }
    }

    /// Appends the spectra of all parts of a response, which is heard earlier by a part of a frame.
    ///
    /// Samples before the time 0 lie at the end of the first part: a delay moves them to its beginning.
    private mutating func appendFilter(of samples: [Float], advancedBy fraction: Double) {
        let (size, part) = (transform.size, transform.size / 2)
        let (early, late) = (samples.prefix(leadCount), samples.dropFirst(leadCount))
        for index in 0..<partCount {
            var piece = Array(late.dropFirst(index * part).prefix(part))
            if index == 0 {
                piece += [Float](repeating: 0, count: size - piece.count - early.count) + early
            }
            filters += transform.spectrum(of: piece, advancedBy: fraction)
        }
    }

    /// The filter of a direction at an ear.
    func filter(_ index: Int, ear: Int) -> ArraySlice<Float> {
        let length = partCount * transform.size
        return filters[(2 * index + ear) * length..<(2 * index + ear + 1) * length]
    }

    /// Appends the filter of a pole that was not measured: the mean around it, the same at both ears.
    private mutating func closeCap(_ index: Int) {
        let ring = mesh.neighbours[index].filter { $0 < index }
        var (mean, energy) = ([Float](repeating: 0, count: partCount * transform.size), 0.0)
        let share = Float(1) / Float(max(1, 2 * ring.count))
        for neighbour in ring {
            for ear in 0..<2 {
                for (place, value) in filter(neighbour, ear: ear).enumerated() {
                    mean[place] += share * value
                    energy += Double(share * value * value)
                }
            }
        }
        let sum = mean.reduce(0.0) { $0 + Double($1) * Double($1) }
        let gain = sum > 0 ? Float((energy / sum).squareRoot()) : 0
        filters += (mean + mean).map { gain * $0 }
        let delay =
            ring.reduce(0.0) { $0 + delays[2 * $1] + delays[2 * $1 + 1] } / Double(max(1, 2 * ring.count))
        delays += [delay, delay]
    }

    /// Adds the middle of each edge.
    private mutating func refine() {
        let length = partCount * transform.size
        for mean in mesh.subdivide() {
            for ear in 0..<2 {
                var sum = [Float](repeating: 0, count: length)
                for (index, weight) in mean {
                    let (start, weight) = ((2 * index + ear) * length, Float(weight))
                    for place in 0..<length { sum[place] += weight * filters[start + place] }
                }
                filters += sum
            }
            for ear in 0..<2 {
                delays.append(max(0, mean.reduce(0) { $0 + $1.weight * delays[2 * $1.index + ear] }))
            }
        }
    }
}
