// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The plug-ins that are compared with applyplugin: LIBRARY:LABEL. Test thread.

extension ApplypluginTests {
    /// Plug-ins of ladspa-sdk, swh-plugins, cmt and tap-plugins without randomness.
    ///
    /// They have as many outputs as inputs, and are heard within half a second. Left out are plug-ins for which applyplugin is no
    /// measure. It renders in place, and some break then without saying so (matrixMSSt, matrixStMS, bf2quad, notch_iir, imp,
    /// chebstortion). It cannot write one's output to a file of 16 bits (freqTracker). Left out, too, is pitchScale, which
    /// chooses its FFT by timing it.
    static let plugins = [
        "alias_1407:alias", "am_pitchshift_1433:amPitchshift", "amp:amp_mono", "amp:amp_stereo", "amp_1181:amp",
        "bandpass_a_iir_1893:bandpass_a_iir", "bandpass_iir_1892:bandpass_iir", "butterworth_1902:buttlow_iir",
        "butterworth_1902:butthigh_iir", "cmt:bf_rotate_z", "cmt:fmh_rotate_z", "cmt:amp_mono", "cmt:amp_stereo",
        "cmt:delay_0.01s", "cmt:delay_0.1s", "cmt:delay_1s", "cmt:delay_5s", "cmt:delay_60s", "cmt:fbdelay_0.01s",
        "cmt:fbdelay_0.1s", "cmt:fbdelay_1s", "cmt:fbdelay_5s", "cmt:fbdelay_60s", "cmt:freeverb3", "cmt:hard_gate",
        "cmt:hpf", "cmt:identity_audio", "cmt:lofi", "cmt:lpf", "cmt:compress_peak", "cmt:compress_rms", "cmt:limit_peak",
        "cmt:limit_rms", "cmt:sine_faac", "cmt:sine_fcaa", "cmt:vcf303", "cmt:wshape_sine", "comb_1190:comb",
        "const_1909:const", "crossover_dist_1404:crossoverDist", "dc_remove_1207:dcRemove", "decay_1886:decay",
        "decimator_1202:decimator", "declip_1195:declip", "delay:delay_5s", "delayorama_1402:delayorama", "diode_1185:diode",
        "divider_1186:divider", "dj_eq_1901:dj_eq_mono", "dj_eq_1901:dj_eq", "dj_flanger_1438:djFlanger",
        "dyson_compress_1403:dysonCompress", "fast_lookahead_limiter_1913:fastLookaheadLimiter", "filter:lpf", "filter:hpf",
        "flanger_1191:flanger", "fm_osc_1415:fmOsc", "foldover_1213:foldover", "foverdrive_1196:foverdrive",
        "gate_1410:gate", "giant_flange_1437:giantFlange", "gong_1424:gong", "gong_beater_1439:gongBeater", "gsm_1215:gsm",
        "hard_limiter_1413:hardLimiter", "harmonic_gen_1220:harmonicGen", "hermes_filter_1200:hermesFilter",
        "highpass_iir_1890:highpass_iir", "inv_1429:inv", "karaoke_1409:karaoke", "latency_1914:artificialLatency",
        "lcr_delay_1436:lcrDelay", "lowpass_iir_1891:lowpass_iir", "ls_filter_1908:lsFilter",
        "matrix_spatialiser_1422:matrixSpatialiser", "mbeq_1197:mbeq", "multivoice_chorus_1201:multivoiceChorus",
        "phasers_1217:lfoPhaser", "phasers_1217:fourByFourPole", "phasers_1217:autoPhaser",
        "pointer_cast_1910:pointerCastDistortion", "rate_shifter_1417:rateShifter", "retro_flange_1208:retroFlange",
        "revdelay_1605:revdelay", "ringmod_1188:ringmod_1i1o1l", "satan_maximiser_1408:satanMaximiser", "sc1_1425:sc1",
        "sc4_1882:sc4", "sc4m_1916:sc4m", "se4_1883:se4", "shaper_1187:shaper", "sifter_1210:sifter", "sine:sine_faac",
        "sine:sine_fcaa", "single_para_1203:singlePara", "sinus_wavewrapper_1198:sinusWavewrapper",
        "smooth_decimate_1414:smoothDecimate", "svf_1214:svf", "tap_autopan:tap_autopan",
        "tap_chorusflanger:tap_chorusflanger", "tap_deesser:tap_deesser", "tap_doubler:tap_doubler",
        "tap_dynamics_m:tap_dynamics_m", "tap_dynamics_st:tap_dynamics_st", "tap_echo:tap_stereo_echo",
        "tap_eq:tap_equalizer", "tap_eqbw:tap_equalizer_bw", "tap_limiter:tap_limiter", "tap_pitch:tap_pitch",
        "tap_reflector:tap_reflector", "tap_reverb:tap_reverb", "tap_rotspeak:tap_rotspeak", "tap_sigmoid:tap_sigmoid",
        "tap_tremolo:tap_tremolo", "tap_tubewarmth:tap_tubewarmth", "tap_vibrato:tap_vibrato", "transient_1206:transient",
        "triple_para_1204:triplePara", "valve_1209:valve", "valve_rect_1405:valveRect", "xfade_1915:xfade4", "zm1_1428:zm1",
    ]
}
