// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plug-ins of Debian's packages that bring a window. Any thread.

/// A plug-in with a window, and why nothing of it can be heard, if so.
struct WindowedPlugIn {
    let id: String
    var isInstrument = false
    /// Why no turn of a knob changes the sound; nil if one does.
    var silence: String?

    /// All of them, package by package.
    static let all: [WindowedPlugIn] = zam + dpf + x42 + lsp + guitarix

    /// zam-plugins.
    private static let zam =
        [
            "ZaMaximX2", "ZaMultiComp", "ZaMultiCompX2", "ZamComp", "ZamCompX2", "ZamDelay", "ZamEQ2",
            "ZamGEQ31", "ZamGate", "ZamGateX2", "ZamGrains", "ZamHeadX2", "ZamPhono", "ZamTube", "ZamVerb",
        ].map { WindowedPlugIn(id: "lv2:urn:zamaudio:\($0)") }
        + [
            WindowedPlugIn(id: "lv2:urn:zamaudio:ZamAutoSat", silence: "it has no parameter"),
            WindowedPlugIn(id: "lv2:urn:zamaudio:ZamDynamicEQ", silence: "its filters are off until a button is pressed"),
        ]

    /// dpf-plugins-lv2.
    private static let dpf =
        ["3BandEQ", "3BandSplitter", "MVerb"].map { WindowedPlugIn(id: "lv2:http://distrho.sf.net/plugins/\($0)") }
        + ["ampimposer", "cycleshifter", "soulforce"].map { WindowedPlugIn(id: "lv2:http://www.niallmoody.com/ndcplugs/\($0).htm") }
        + [
            WindowedPlugIn(id: "lv2:http://distrho.sf.net/plugins/Nekobi", isInstrument: true),
            WindowedPlugIn(
                id: "lv2:http://distrho.sf.net/plugins/PingPongPan",
                silence: "it swings from left to right, and the mean levels stay"),
        ]

    /// x42-plugins.
    private static let x42 =
        ["balance", "darc#stereo", "dpl#stereo", "fat1", "fil4#mono", "fil4#stereo", "phaserotate#stereo"]
        .map { WindowedPlugIn(id: "lv2:http://gareus.org/oss/lv2/\($0)") }
        + [
            WindowedPlugIn(id: "lv2:http://gareus.org/oss/lv2/sisco#Stereo", silence: "it is an oscilloscope"),
            WindowedPlugIn(id: "lv2:http://gareus.org/oss/lv2/tuna#one", silence: "it is a tuner"),
        ]

    /// lsp-plugins-lv2: the stereo one of each kind.
    private static let lsp =
        [
            "comp_delay_x2_stereo", "compressor_stereo", "crossover_stereo", "dyna_processor_stereo",
            "expander_stereo", "gate_stereo", "graph_equalizer_x16_stereo", "limiter_stereo", "loud_comp_stereo",
            "mb_compressor_stereo", "mb_dyna_processor_stereo", "mb_expander_stereo", "mb_gate_stereo", "noise_generator_x1",
            "oscillator_mono", "para_equalizer_x16_stereo", "slap_delay_stereo", "surge_filter_stereo",
        ].map { WindowedPlugIn(id: "lv2:http://lsp-plug.in/plugins/lv2/\($0)") }
        + [
            ("art_delay_stereo", "its delays are off until they are switched on"),
            ("room_builder_stereo", "it needs a room, which it reads from a file"),
            ("spectrum_analyzer_x2", "it shows the spectrum"), ("phase_detector", "it measures the phase"),
        ].map { WindowedPlugIn(id: "lv2:http://lsp-plug.in/plugins/lv2/\($0.0)", silence: $0.1) }

    /// guitarix-lv2.
    private static let guitarix = [
        "gx_alembic#alembic", "gx_amp#GUITARIX", "gx_amp_stereo#GUITARIX_ST", "gx_barkgraphiceq_#_barkgraphiceq_",
        "gx_cabinet#CABINET", "gx_chorus_stereo#_chorus_stereo", "gx_compressor#_compressor", "gx_delay_stereo#_delay_stereo",
        "gx_digital_delay_st_#_digital_delay_st_", "gx_echo_stereo#_echo_stereo", "gx_expander#_expander", "gx_flanger#_flanger",
        "gx_fuzz_#fuzz_", "gx_graphiceq_#_graphiceq_", "gx_jcm800pre_st#_jcm800pre_st", "gx_mbcompressor_#_mbcompressor_",
        "gx_mbdistortion_#_mbdistortion_", "gx_muff_#_muff_", "gx_phaser#_phaser", "gx_redeye#chump",
        "gx_reverb_stereo#_reverb_stereo", "gx_scream_#_scream_", "gx_studiopre_st#studiopre_st",
        "gx_tremolo#_tremolo", "gx_zita_rev1_stereo#_zita_rev1_stereo",
        "gxautowah#autowah", "gxbooster#booster",
        "gxechocat#echocat", "gxmetal_amp#metal_amp", "gxtape_st#tape", "gxtilttone#tilttone", "gxts9#ts9sim",
        "gxtubedelay#tubedelay",
    ].map { WindowedPlugIn(id: "lv2:http://guitarix.sourceforge.net/plugins/\($0)") }
}
