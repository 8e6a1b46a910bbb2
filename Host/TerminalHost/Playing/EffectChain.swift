// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The effects of a command, one after another, on an engine. Main thread.

import AudioGraph
import PluginHosting
import Rendering

/// A chain of effects that an engine renders, from a source to the engine's main mixer.
final class EffectChain: EffectGroup {
    let engine: AudioEngine
    let effects: [AudioUnitEffect]
    let channelCount: Int
    /// The speakers of the channels; nil where they are not known.
    let layout: ChannelLayout?

    /// Makes nodes of the units of a command line and attaches them to `engine`.
    init(
        _ units: [HostedUnit], _ arguments: ChainArguments, channelCount: Int, layout: ChannelLayout?, on engine: AudioEngine
    ) throws {
        self.engine = engine
        self.channelCount = channelCount
        self.layout = layout
        effects = try zip(units, arguments.effects).map { hosted, effect in
            let unit = PluginUnit(hosted)
            unit.automation = try effect.curves(of: hosted)
            unit.fallback = effect.fallback
            unit.shouldBypassEffect = effect.isBypassed
            return AudioUnitEffect(unit)
        }
        for effect in effects { _ = try engine.attach(effect).get() }
    }

    /// Connects the source, the effects and the main mixer; with a node of the host's own behind the mixer.
    func connect(from source: AudioNode, sampleRate: Double, through last: AudioRenderNode? = nil) throws {
        let format = AudioFormat(sampleRate: sampleRate, channelCount: channelCount, layout: layout)
        try engine.edit {
            var former = source
            for node in effects as [AudioNode] + [engine.mainMixerNode] {
                try engine.connect(former, to: node, format: format)
                former = node
            }
            // The speakers are those of the source to the very end.
            try engine.connect(engine.mainMixerNode, to: last ?? engine.outputNode, format: format)
            if let last { try engine.connect(last, to: engine.outputNode, format: format) }
        }
    }

    /// The effects as their supervisor sees them, while the engine has been started.
    var members: [ChainMember] { effects.compactMap(\.unit.member) }

    /// The same with their places among all effects.
    var placedMembers: [(index: Int, member: ChainMember)] {
        effects.enumerated().compactMap { index, effect in effect.unit.member.map { (index, $0) } }
    }

    /// The sum of the effects' tails, in frames; `Int.max` when one is endless.
    var tailFrameCount: Int {
        members.reduce(0) { sum, member in
            let (total, overflows) = sum.addingReportingOverflow(member.tailFrameCount)
            return overflows ? .max : total
        }
    }

    /// Counts all changes to the effects' states and bypasses that the host knows of.
    var stateRevision: Int { members.reduce(0) { $0 + $1.stateRevision } }
}
