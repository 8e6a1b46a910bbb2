// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Instances of one LADSPA plug-in, side by side. Made by the control thread, run by the render thread.

import CLADSPA
import PluginSDK

/// Some instances at one sample rate.
///
/// They are deactivated and cleaned up at the end of its life.
struct Instances: ~Copyable {
    let count: Int
    private let images: UnsafeMutablePointer<LibraryImage>
    private let handles: UnsafeMutablePointer<LADSPA_Handle>
    private var isActive = false

    /// `[control]` The sample rates that are passed on; the interface takes whole numbers.
    static let sampleRates = 1.0...10_000_000

    /// `[control]` Makes all instances, or throws.
    init(_ plugin: Plugin, count: Int, sampleRate: Double) throws(UnitError) {
        guard Self.sampleRates.contains(sampleRate) else { throw .formatRefused("a sample rate of \(sampleRate) Hz") }
        let images = UnsafeMutablePointer<LibraryImage>.allocate(capacity: count)
        let handles = UnsafeMutablePointer<LADSPA_Handle>.allocate(capacity: count)
        for index in 0..<count {
            do throws(UnitError) {
                let (image, handle) = try Self.make(plugin, sampleRate)
                (images + index).initialize(to: image)
                (handles + index).initialize(to: handle)
            } catch {
                Self.end(images, handles, count: index)
                throw error
            }
        }
        self.count = count
        self.images = images
        self.handles = handles
    }

    private static func make(_ plugin: Plugin, _ sampleRate: Double) throws(UnitError) -> (LibraryImage, LADSPA_Handle) {
        let image = try LibraryImage(for: plugin)
        guard let handle = image.descriptor.pointee.instantiate(image.descriptor, UInt(sampleRate)) else {
            image.close()
            throw .failed("the plug-in makes no instance at \(Int(sampleRate)) Hz")
        }
        return (image, handle)
    }

    private static func end(
        _ images: UnsafeMutablePointer<LibraryImage>, _ handles: UnsafeMutablePointer<LADSPA_Handle>, count: Int
    ) {
        for index in 0..<count {
            images[index].descriptor.pointee.cleanup?(handles[index])
            images[index].close()
        }
        images.deallocate()
        handles.deallocate()
    }

    deinit {
        for index in 0..<count where isActive { CLADSPA_deactivate(images[index].descriptor, handles[index]) }
        Self.end(images, handles, count: count)
    }

    /// `[any]` Connects a port of one instance; nothing may run meanwhile.
    @_noLocks
    func connect(_ index: Int, port: Int, to data: UnsafeMutablePointer<Float>) {
        CLADSPA_connect(images[index].descriptor, handles[index], UInt(port), data)
    }

    /// `[any]` Activates all instances again, so that they forget everything.
    @_noLocks
    mutating func activate() {
        for index in 0..<count {
            if isActive { CLADSPA_deactivate(images[index].descriptor, handles[index]) }
            CLADSPA_activate(images[index].descriptor, handles[index])
        }
        isActive = true
    }

    /// `[render]` Runs all instances between the buffers that their ports are connected to.
    @_noLocks
    func run(_ frameCount: Int) {
        for index in 0..<count { CLADSPA_run(images[index].descriptor, handles[index], UInt(frameCount)) }
    }
}
