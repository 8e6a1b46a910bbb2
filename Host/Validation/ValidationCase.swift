// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a case is: a name, a sentence and a procedure. The list of all of them. Any thread.

/// One thing that is tried with a unit, in a process of its own.
protocol ValidationCase {
    /// What `--case` takes.
    static var name: String { get }
    /// What it finds out, to follow the name in a list.
    static var summary: String { get }
    /// Times the usual time that it may take.
    static var patience: Double { get }
    /// Tries it. What is found goes to the trial; only what keeps the case from going on is thrown.
    static func run(_ trial: Trial) throws(CaseEnd)
}

extension ValidationCase {
    static var patience: Double { 1 }
}

/// Every case, in the order in which they run.
public enum ValidationCases {
    static var all: [any ValidationCase.Type] {
        [
            OpeningCase.self, InstancesCase.self, MetadataCase.self, ParametersCase.self,
            BlockSizesCase.self, SampleRatesCase.self, ChannelLayoutsCase.self,
            SilenceCase.self, ImpulseCase.self, FullScaleCase.self, DenormalsCase.self, NotANumberCase.self, TailCase.self,
            ParameterSweepCase.self, ParameterExtremesCase.self, ParameterFuzzCase.self, AutomationCase.self,
            PresetsCase.self, MIDICase.self,
            StateRoundTripCase.self, StateSoundCase.self, DamagedStateCase.self, ResetCase.self,
            DeterminismCase.self, InProcessCase.self, LatencyCase.self, SampleAccuracyCase.self,
            KilledBetweenBlocksCase.self, KilledInsideBlockCase.self,
            RenderTimeCase.self, RenderThreadCase.self, LeaksCase.self, HostLeaksCase.self,
        ]
    }

    /// The names, and what each finds out.
    public static var names: [(name: String, summary: String)] { all.map { ($0.name, $0.summary) } }

    static func named(_ name: String) -> (any ValidationCase.Type)? { all.first { $0.name == name } }
}
