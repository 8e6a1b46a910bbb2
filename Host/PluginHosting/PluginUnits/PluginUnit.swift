// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One unit of an installed plug-in, for a program that renders blocks of its own through it. Control threads.

import AudioUnits
import LinuxSystem
import Realtime
import Rendering
import Synchronization

/// A unit of an installed plug-in, hosted by itself.
///
/// Find and start it with `instantiate`, choose the format, allocate render resources, and call `renderBlock`. By default the
/// unit lives in a process of its own, confined and supervised. If that process dies, hangs or is late, the render call returns
/// the fallback, and a new process takes over with the same state.
///
/// Any control thread may make all calls except `renderBlock`, which is for the render thread.
public final class PluginUnit: Sendable {
    /// The plug-in.
    public let component: Component
    package let hosted: HostedUnit
    // SAFETY: the gate consists of atomics. The core is the render thread's while the gate is open, else the control thread's.
    nonisolated(unsafe) let gate: UnsafeMutablePointer<RenderGate>
    nonisolated(unsafe) let core: UnsafeMutablePointer<UnsafeMutablePointer<PluginUnitCore>?>

    struct State {
        var format: AudioFormat
        /// The channels of the input buses from the second one on, and of each output bus.
        var sideInputs: [Int] = []
        var outputs: [Int]?
        var maximumFramesToRender = 4096
        var isRenderingOffline = false
        var fallback = Fallback.dry
        var isBypassed = false
        /// The courses of parameters that are automated.
        var automation: [AutomationCurve] = []
        /// True if a graph renders the unit; then only the graph gives its resources back.
        var isLent = false
        /// The unit as a row of one, while it has render resources.
        var row: UnitRow?
        /// True while it is asked to allocate.
        var isAllocating = false
        /// The faults from before the present allocation.
        var formerFaults: [FaultRecord] = []
        var formerRestartCount = 0
    }

    let state: Mutex<State>
    /// Locked while resources are allocated or taken back; holds the work of taking back that has not ended.
    ///
    /// Lock it before `state`.
    let allocation = Mutex<Errand<Void>?>(nil)

    /// Makes a unit from a hosted one without render resources.
    package init(_ hosted: HostedUnit) {
        self.hosted = hosted
        component = hosted.component
        let bus = hosted.description.outputs.first ?? hosted.description.inputs.first
        state = Mutex(State(format: AudioFormat(sampleRate: 48_000, channelCount: bus?.defaultFormat.channelCount ?? 2)))
        gate = .allocate(capacity: 1)
        gate.initialize(to: RenderGate())
        core = .allocate(capacity: 1)
        core.initialize(to: nil)
    }

    deinit {
        if let resources = takeRow()?.members[0] {
            // An observer may have held the last reference, on the supervisor's own thread, which cannot wait for its own end.
            if !resources.isSupervisedByThisThread {
                resources.takeBack()
                // Without a thread they stay with the supervisor until the process ends.
            } else if let thread = try? LinuxSystem.Thread(name: "tear-down", { resources.takeBack() }) {
                thread.detach()
            }
        }
        core.deallocate()
        gate.deinitialize(count: 1)
        gate.deallocate()
    }

    /// The unit's name.
    public var name: String { hosted.name }

    /// The unit's own description: buses, flags, version.
    public var unitDescription: UnitDescription { hosted.description }

    /// The process of the unit; nil in the host's process, and while a new process starts.
    public var processIdentifier: Int32? { hosted.processIdentifier }

    /// True if the unit lives in the host's process.
    public var isInProcess: Bool { hosted.isolation == .inProcess }

    /// The faults since the unit's instantiation, in their order.
    public var faults: [FaultRecord] {
        state.withLock { $0.formerFaults + ($0.row?.members[0].faults.records ?? []) }
    }

    /// The number of restarts after deaths.
    public var restartCount: Int {
        state.withLock { $0.formerRestartCount + ($0.row?.members[0].faults.restarts ?? 0) }
    }

    /// True if the unit has died so often that it is bypassed for good.
    public var isQuarantined: Bool { state.withLock { $0.row?.members[0].isQuarantined ?? false } }

    /// Starts a quarantined unit again, as if it had never died.
    public func readmit() { state.withLock { $0.row?.members[0].readmit() } }
}
