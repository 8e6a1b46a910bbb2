// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Takes the settings of group presets, one preset at a time. Any thread but the render thread.

extension SoundEngine {
    /// The preset whose settings hold; nil for none.
    public var activePreset: GroupPreset? { preset.withLock { $0 } }

    /// Moves groups to the settings of a preset, in its own time or another one.
    ///
    /// Settings multiply the gain and the rate of their groups. Groups of the former preset that this one does not name go back to unity in
    /// the former one's time. Throws `unknownGroup` and `notANumber`, and changes nothing then.
    public func activate(_ preset: GroupPreset, over seconds: Double? = nil) throws(SoundEventError) {
        let time = seconds ?? preset.fadeInSeconds
        guard !time.isNaN, !preset.fadeOutSeconds.isNaN else { throw .notANumber("fade") }
        var commands: [SceneCommand] = []
        for (id, setting) in preset.settings.sorted(by: { $0.key < $1.key }) {
            guard !setting.gain.isNaN, !setting.rate.isNaN else { throw .notANumber(id) }
            commands += try group(id).commands(for: setting, over: frames(time))
        }
        self.preset.withLock { active in
            running.send(returns(of: active, except: preset.settings.keys, over: nil) + commands)
            active = preset
        }
    }

    /// Moves the groups of the active preset back to unity, in its own time or another one.
    ///
    /// Does nothing without a preset. A time of NaN counts as 0.
    public func deactivatePreset(over seconds: Double? = nil) {
        preset.withLock { active in
            running.send(returns(of: active, except: [:].keys, over: seconds))
            active = nil
        }
    }

    private func returns(
        of preset: GroupPreset?, except kept: Dictionary<String, GroupPreset.Setting>.Keys, over seconds: Double?
    ) -> [SceneCommand] {
        guard let preset else { return [] }
        let frameCount = frames(seconds ?? preset.fadeOutSeconds)
        return preset.settings.sorted { $0.key < $1.key }.flatMap { id, setting -> [SceneCommand] in
            guard !kept.contains(id), let group = existingGroup(id) else { return [] }
            var unity = setting
            (unity.gain, unity.rate) = (1, 1)
            return group.commands(for: unity, over: frameCount)
        }
    }
}

extension SoundGroup {
    /// The commands that take a setting.
    fileprivate func commands(for setting: GroupPreset.Setting, over frameCount: Int64) -> [SceneCommand] {
        [
            glide(.presetGain, max(0, min(1, setting.gain)), over: frameCount, setting.gainCurve),
            glide(.presetRate, max(0.25, min(4, setting.rate)), over: frameCount, setting.rateCurve),
        ]
    }
}
