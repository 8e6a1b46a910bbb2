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
    private let plugin: UnsafePointer<LADSPA_Descriptor>
    private let handles: UnsafeMutablePointer<LADSPA_Handle>
    private var isActive = false

    /// `[control]` Sample rates that are passed on; the interface takes whole numbers.
    static let sampleRates = 1.0...10_000_000

    /// `[control]` Makes all of them or throws.
    init(_ plugin: Plugin, count: Int, sampleRate: Double) throws(UnitError) {
        guard Self.sampleRates.contains(sampleRate) else { throw .formatRefused("a sample rate of \(sampleRate) Hz") }
        let handles = UnsafeMutablePointer<LADSPA_Handle>.allocate(capacity: count)
        for index in 0..<count {
            if let handle = plugin.descriptor.pointee.instantiate(plugin.descriptor, UInt(sampleRate)) {
                (handles + index).initialize(to: handle)
                continue
            }
            for made in 0..<index { plugin.descriptor.pointee.cleanup?(handles[made]) }
            handles.deallocate()
            throw .failed("the plug-in makes no instance at \(Int(sampleRate)) Hz")
        }
        self.count = count
        self.plugin = plugin.descriptor
        self.handles = handles
    }

    deinit {
        for index in 0..<count {
            if isActive { CLADSPA_deactivate(plugin, handles[index]) }
            plugin.pointee.cleanup?(handles[index])
        }
        handles.deallocate()
    }

    /// `[any]` Connects a port of one instance; nothing may run meanwhile.
    @_noLocks
    func connect(_ index: Int, port: Int, to data: UnsafeMutablePointer<Float>) {
        CLADSPA_connect(plugin, handles[index], UInt(port), data)
    }

    /// `[any]` Activates all of them again, so that they forget everything.
    @_noLocks
    mutating func activate() {
        for index in 0..<count {
            if isActive { CLADSPA_deactivate(plugin, handles[index]) }
            CLADSPA_activate(plugin, handles[index])
        }
        isActive = true
    }

    /// `[render]` Runs all of them between the buffers that their ports are connected to.
    @_noLocks
    func run(_ frameCount: Int) {
        for index in 0..<count { CLADSPA_run(plugin, handles[index], UInt(frameCount)) }
    }
}
