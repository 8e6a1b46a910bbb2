// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// OpenAL Soft as a peer: many sources through its HRTF, rendered without a device. Measuring thread.

import Glibc
import LinuxSystem

/// OpenAL Soft, loaded if it is installed.
struct OpenALPeer {
    private typealias Pointer = UnsafeMutableRawPointer
    private typealias OpenDevice = @convention(c) (UnsafePointer<CChar>?) -> Pointer?
    private typealias CreateContext = @convention(c) (Pointer, UnsafePointer<Int32>) -> Pointer?
    private typealias MakeCurrent = @convention(c) (Pointer?) -> Int8
    private typealias Render = @convention(c) (Pointer, Pointer, Int32) -> Void
    private typealias Generate = @convention(c) (Int32, UnsafeMutablePointer<UInt32>) -> Void
    private typealias BufferData = @convention(c) (UInt32, Int32, UnsafeRawPointer, Int32, Int32) -> Void
    private typealias SetInteger = @convention(c) (UInt32, Int32, Int32) -> Void
    private typealias SetPoint = @convention(c) (UInt32, Int32, Float, Float, Float) -> Void
    private typealias Play = @convention(c) (UInt32) -> Void
    private typealias GetIntegers = @convention(c) (Pointer, Int32, Int32, UnsafeMutablePointer<Int32>) -> Void
    private typealias Close = @convention(c) (Pointer) -> Int8

    private static let libraryName = "libopenal.so.1"
    private let library: UnsafeMutableRawPointer

    /// Nil if the library is not installed.
    init?() {
        guard let library = dlopen(Self.libraryName, RTLD_NOW) else { return nil }
        self.library = library
    }

    private func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        // SAFETY: the types are those of the library's headers, which have not changed since OpenAL 1.1.
        dlsym(library, name).map { unsafeBitCast($0, to: type) }
    }

    /// Renders blocks with sources that circle, and returns the nanoseconds of each; nil if the library refuses.
    func times(sourceCount: Int, blockCount: Int, frameCount: Int, sampleRate: Int32) -> [UInt32]? {
        guard let open = function("alcLoopbackOpenDeviceSOFT", as: OpenDevice.self),
            let create = function("alcCreateContext", as: CreateContext.self),
            let makeCurrent = function("alcMakeContextCurrent", as: MakeCurrent.self),
            let render = function("alcRenderSamplesSOFT", as: Render.self),
            let destroy = function("alcDestroyContext", as: (@convention(c) (Pointer) -> Void).self),
            let closeDevice = function("alcCloseDevice", as: Close.self),
            let integers = function("alcGetIntegerv", as: GetIntegers.self), let device = open(nil)
        else { return nil }
        defer { _ = closeDevice(device) }
        // Stereo, floats, the rate, HRTF, and as many sources.
        let attributes: [Int32] = [
            0x1990, 0x1501, 0x1991, 0x1406, 0x1007, sampleRate, 0x1992, 1, 0x1010, Int32(sourceCount), 0,
        ]
        guard let context = create(device, attributes), makeCurrent(context) != 0 else { return nil }
        defer {
            _ = makeCurrent(nil)
            destroy(context)
        }
        var status: Int32 = 0
        integers(device, 0x1993, 1, &status)
        // Only HRTF is a peer: 1 is enabled.
        guard status == 1, let sources = playing(sourceCount, sampleRate), let setPoint = function("alSource3f", as: SetPoint.self)
        else { return nil }
        var output = [Float](repeating: 0, count: 2 * frameCount)
        var times: [UInt32] = []
        for block in 0..<blockCount + 20 {
            for (index, source) in sources.enumerated() {
                let angle = Float(index) * 2.399_963 + 2 * .pi * Float(block * frameCount) / Float(sampleRate)
                setPoint(source, 0x1004, 2 * sinf(angle), 0.5, -2 * cosf(angle))
            }
            let before = MonotonicClock.now()
            output.withUnsafeMutableBytes { if let base = $0.baseAddress { render(device, base, Int32(frameCount)) } }
            if block >= 20 { times.append(UInt32(clamping: MonotonicClock.now() - before)) }
        }
        return times
    }

    /// Sources that play noise again and again; nil if there are fewer than wanted.
    private func playing(_ count: Int, _ sampleRate: Int32) -> [UInt32]? {
        guard let makeSources = function("alGenSources", as: Generate.self),
            let makeBuffers = function("alGenBuffers", as: Generate.self),
            let fill = function("alBufferData", as: BufferData.self), let set = function("alSourcei", as: SetInteger.self),
            let play = function("alSourcePlay", as: Play.self)
        else { return nil }
        var (sources, buffers) = ([UInt32](repeating: 0, count: count), [UInt32](repeating: 0, count: count))
        makeSources(Int32(count), &sources)
        makeBuffers(Int32(count), &buffers)
        guard !sources.contains(0), !buffers.contains(0) else { return nil }
        for (source, buffer) in zip(sources, buffers) {
            let samples = (0..<4096).map { Int16(truncatingIfNeeded: ($0 &* 7919 &+ Int(source) &* 1009) % 655 - 327) }
            fill(buffer, 0x1101, samples, Int32(2 * samples.count), sampleRate)
            set(source, 0x1009, Int32(bitPattern: buffer))
            set(source, 0x1007, 1)
            play(source)
        }
        return sources
    }
}
