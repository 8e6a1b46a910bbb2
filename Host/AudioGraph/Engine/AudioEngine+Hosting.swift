// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Settings of a host besides the graph: deadlines, placement, pipelines. Any thread but the render thread.

import LinuxSystem
import PluginHosting
import Rendering

extension AudioEngine {
    /// Sets how the engine waits for units, places them and restarts them, from the next start on.
    ///
    /// With `isPipelined` the units of a row render at the same time, each another of the driver's blocks. That adds a block of latency for
    /// each unit but the first. With `rendersAhead`, for use offline, they also render one block ahead.
    package func setPolicy(_ policy: UnitPolicy, isPipelined: Bool = false, rendersAhead: Bool = false) {
        state.withLock { state in
            state.hosting.policy = policy
            (state.hosting.isPipelined, state.hosting.rendersAhead) = (isPipelined, rendersAhead)
        }
    }

    /// Refuses the edit or the start if a unit dies while it takes its resources, instead of starting the unit again once.
    ///
    /// It holds from the next start on. A program that examines units has to know of every death.
    package func refuseUnitsThatDie() { state.withLock { $0.hosting.startsUnitsAgain = false } }

    /// Rings `event` at the first cycle after a rest, from the next start on.
    package func ring(_ event: EventDescriptor) { state.withLock { $0.hosting.cycleEvent = event } }

    /// Sets a watcher that is called for each configuration change from now on, on the engine's own thread and in order.
    ///
    /// A host without tasks uses it in place of `configurationChanges`.
    package func watchConfiguration(_ watcher: @escaping @Sendable (AudioEngineConfigurationChange) -> Void) {
        state.withLock { $0.hosting.changeWatcher = watcher }
    }

    /// Waits until the units' fault logs have all faults that the render threads have noticed so far; at most a second.
    package func settleFaults() { presentSupervisor?.settle() }

    /// Rings the host's event: the first cycle after a rest may have come.
    func tellOfCycle() { state.withLock { $0.hosting.cycleEvent }?.ring() }

    /// The log of the events that the render thread took, each with its frame, once the log has begun.
    package var eventLog: EventLog { transport.line.log }

    /// The player that renders the plans; nil while the engine is stopped.
    package var player: PlanPlayer? { state.withLock { $0.playing?.player } }

    /// The engine's rate in hertz; nil while the engine is stopped.
    package var sampleRate: Double? { state.withLock { $0.playing?.environment.sampleRate } }

    /// The status of the driver; nil if the engine is rendered by hand, or has no driver.
    package var driverStatus: DriverStatus? {
        state.withLock { state in
            if case .driver(let driver) = state.mode { driver.status } else { nil }
        }
    }

    /// The devices that the engine's driver is linked to; nil without a driver.
    package var driverDevices: DriverDevices? {
        let driver = state.withLock { state -> (any AudioDriver)? in
            if case .driver(let driver) = state.mode { driver } else { nil }
        }
        return driver?.devices
    }

    /// The units that the present plan renders, in rows or single.
    package var rows: [UnitRow] { state.withLock { $0.playing?.units.map(\.rendered) ?? [] } }

    /// Returns the policy of units for blocks of `frameCount` frames.
    static func policy(_ hosting: Hosting, frameCount: Int) -> UnitPolicy? {
        guard hosting.isPipelined, let policy = hosting.policy, frameCount > 0 else { return hosting.policy }
        return policy.pipelined(frameCount: frameCount, rendersAhead: hosting.rendersAhead)
    }
}

/// A node of a host's own, with one input and one output.
package final class AudioRenderNode: AudioNode, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// Makes a node of a `RenderNode`.
    package init(_ node: any RenderNode, name: String) { super.init(name: name, body: SteadyBody(node, inputCount: 1)) }
}
