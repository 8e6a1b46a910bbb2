// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The plug-ins that are compared with lv2apply, which has no features to offer and needs an input. Test thread.

extension LV2ApplyTests {
    /// Plug-ins of mda-lv2 and swh-lv2 without randomness that are heard within an eighth of a second.
    ///
    /// Left out are plug-ins that are silent for so long (Degrade, allpass_l, fadDelay, lookaheadLimiter and -Const, modDelay,
    /// rateShifter, tapeDelay). Left out, too, are those that sound different each time or put out NaN (chebstortion, const,
    /// matrixSpatialiser), and one that crashes lv2apply (sc3).
    static let plugins = [
        "mda:Ambience", "mda:Bandisto", "mda:BeatBox", "mda:Combo", "mda:DeEss", "mda:Delay", "mda:Detune", "mda:Dither",
        "mda:DubDelay", "mda:Dynamics", "mda:Image", "mda:Leslie", "mda:Limiter", "mda:Loudness", "mda:MultiBand",
        "mda:Overdrive", "mda:RePsycho", "mda:RezFilter", "mda:RingMod", "mda:RoundPan", "mda:Shepard", "mda:Splitter",
        "mda:Stereo", "mda:SubSynth", "mda:TalkBox", "mda:TestTone", "mda:ThruZero", "mda:Tracker", "mda:Transient",
        "mda:VocInput", "mda:Vocoder", "swh:alaw", "swh:alias", "swh:allpass_c", "swh:allpass_n", "swh:amPitchshift",
        "swh:amp", "swh:artificialLatency", "swh:autoPhaser", "swh:bandpass_a_iir", "swh:bandpass_iir",
        "swh:bodeShifter", "swh:bodeShifterCV", "swh:butthigh_iir", "swh:buttlow_iir", "swh:bwxover_iir", "swh:comb",
        "swh:combSplitter", "swh:comb_c", "swh:comb_l", "swh:comb_n", "swh:crossoverDist", "swh:dcRemove", "swh:decay",
        "swh:decimator", "swh:declip", "swh:delay_c", "swh:delay_l", "swh:delay_n", "swh:delayorama", "swh:diode",
        "swh:divider", "swh:djFlanger", "swh:dj_eq", "swh:dj_eq_mono", "swh:dysonCompress", "swh:fastLookaheadLimiter",
        "swh:flanger", "swh:fmOsc", "swh:foldover", "swh:fourByFourPole", "swh:foverdrive", "swh:freqTracker",
        "swh:gate", "swh:giantFlange", "swh:gong", "swh:gongBeater", "swh:gverb", "swh:hardLimiter", "swh:harmonicGen",
        "swh:hermesFilter", "swh:highpass_iir", "swh:hilbert", "swh:inv", "swh:karaoke", "swh:lcrDelay", "swh:lfoPhaser",
        "swh:lowpass_iir", "swh:lsFilter", "swh:matrixMSSt", "swh:matrixStMS", "swh:multivoiceChorus", "swh:offset",
        "swh:plate", "swh:pointerCastDistortion", "swh:retroFlange", "swh:revdelay", "swh:ringmod_1i1o1l",
        "swh:ringmod_2i1o", "swh:satanMaximiser", "swh:sc1", "swh:sc2", "swh:sc4", "swh:se4", "swh:shaper", "swh:sifter",
        "swh:singlePara", "swh:sinusWavewrapper", "swh:smoothDecimate", "swh:split", "swh:surroundEncoder", "swh:svf",
        "swh:transient", "swh:triplePara", "swh:ulaw", "swh:valve", "swh:valveRect", "swh:vynil", "swh:waveTerrain",
        "swh:xfade", "swh:xfade4", "swh:zm1",
    ]
}
