// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The room of an environment, as a program sets it. Any thread but the render thread.

import PluginHosting
import Rendering

/// The room of an environment: see `AudioEnvironmentNode.reverbParameters`.
///
/// The room is Bulkhead's own reverb, in a process of its own. If it dies, the room alone is silent until a new process takes over. A source
/// is heard in the room by its `reverbBlend`.
public final class AudioEnvironmentReverbParameters: Sendable {
    private let node: AudioEnvironmentNode

    init(_ node: AudioEnvironmentNode) { self.node = node }

    /// True if there is a room; at first false.
    ///
    /// A change is faded. An error is thrown by the engine's next call that throws.
    public var enable: Bool {
        get { node.space.values.hasRoom }
        set { node.space.setRoom(newValue) }
    }

    /// The level of the room in decibels, from −40 to 40; at first 0.
    ///
    /// Values outside are clamped; NaN is refused.
    public var level: Float {
        get { node.space.values.roomDecibels }
        set {
            guard !newValue.isNaN else { return node.refuse("a room of NaN dB") }
            node.space.setRoomLevel(max(-40, min(40, newValue)))
        }
    }

    /// Loads the room of a preset; at first it is a medium hall.
    public func loadFactoryReverbPreset(_ preset: AudioUnitReverbPreset) { node.space.loadRoomPreset(preset) }

    /// The preset that was loaded last.
    package var factoryPreset: AudioUnitReverbPreset { node.space.values.roomPreset }

    /// The filter behind the room; at first it is bypassed.
    public var filterParameters: AudioUnitEQFilterParameters { node.space.room.filter.bands[0] }

    /// The frames for which the room sounds on; 0 without a room, and before its unit is started.
    package var tailFrameCount: Int { enable ? unit?.resources?.tailFrameCount ?? 0 : 0 }

    /// The unit of the reverb; nil if it could not be started.
    package var unit: PluginUnit? { node.space.room.reverb.plugin }
}
