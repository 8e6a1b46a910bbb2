// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that is a unit of an installed plug-in, in a process of its own unless the program asks otherwise. Any thread.

import PluginHosting

/// A unit of an installed plug-in as a node.
///
/// The unit keeps its process, its memory and its sound through every edit around it. When it dies, hangs or is late, its fallback is heard
/// in its place alone. A new process takes over with the same state.
///
/// The buses are those of the plug-in. The second input and further ones are side chains; any node may feed them. The first output carries
/// the sound on to the next effect. A unit without outputs renders as long as something is connected to it. One without inputs and outputs
/// renders as long as it is attached. The latency is the one that the unit reported with its last block; 0 without render resources.
open class AudioUnit: AudioNode, AudioMixing, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored property is a constant that threads may share.
    /// The unit's buses, formats and resources.
    let unitBody: UnitBody

    init(_ body: UnitBody, name: String) {
        unitBody = body
        super.init(name: name, body: body)
    }

    /// Makes a node of a unit that has no render resources.
    public init(_ unit: PluginUnit) {
        unitBody = UnitBody(unit)
        super.init(name: unit.name, body: unitBody)
    }

    /// Starts the plug-in with a name or an ID.
    ///
    /// If that fails, the engine throws the reason when it starts with the node, or at an edit that would play it.
    package init(starting id: String, name: String? = nil) {
        unitBody = UnitBody(starting: id)
        super.init(name: name ?? unitBody.plugin?.name ?? id, body: unitBody)
    }

    /// The unit; nil if it could not be started.
    package var plugin: PluginUnit? { unitBody.plugin }

    /// The options of the next allocation; the graph chooses policy and supervisor itself.
    package var options: AllocationOptions {
        get { unitBody.options.withLock { $0 } }
        set { unitBody.options.withLock { $0 = newValue } }
    }

    /// True if the input passes through, delayed by the latency; a change is faded.
    public var bypass: Bool {
        get { plugin?.shouldBypassEffect ?? false }
        set { plugin?.shouldBypassEffect = newValue }
    }

    /// True if the unit's input is passed on in its place, because the unit refuses the rate.
    public var isLeftOut: Bool { unitBody.isLeftOut }
}
