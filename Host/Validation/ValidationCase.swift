// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A validation case: a name, a sentence and a procedure. The list of all cases. Any thread.

/// One test of a unit, run in its own process.
protocol ValidationCase {
    /// The case's name for `--case`.
    static var name: String { get }
    /// The purpose of the test, as a phrase for a list.
    static var summary: String { get }
    /// The factor by which the case may take longer than usual.
    static var patience: Double { get }
    /// Runs the test.
    ///
    /// Findings go to the trial; only an early end of the case is thrown.
    static func run(_ trial: Trial) throws(CaseEnd)
}

extension ValidationCase {
    static var patience: Double { 1 }
}

/// `[any]` All cases, in the order in which they run.
package enum ValidationCases {
    static var all: [any ValidationCase.Type] { hosted + raw }

    /// The cases in which the engine hosts the unit.
    private static var hosted: [any ValidationCase.Type] {
        [
            OpeningCase.self, InstancesCase.self, MetadataCase.self, ParametersCase.self,
            BlockSizesCase.self, SampleRatesCase.self, ChannelLayoutsCase.self,
            SilenceCase.self, ImpulseCase.self, FullScaleCase.self, DenormalsCase.self, NotANumberCase.self, TailCase.self,
            ParameterSweepCase.self, ParameterExtremesCase.self, ParameterFuzzCase.self, AutomationCase.self,
            PresetsCase.self, MIDICase.self,
            StateRoundTripCase.self, StateSoundCase.self, DamagedStateCase.self, ResetCase.self,
            DeterminismCase.self, InProcessCase.self, LatencyCase.self, SampleAccuracyCase.self,
            RampsCase.self,
            KilledBetweenBlocksCase.self, KilledInsideBlockCase.self,
            RenderTimeCase.self, RenderThreadCase.self, LeaksCase.self, HostLeaksCase.self,
        ]
    }

    /// The cases of `--protocol`, which host the unit themselves, step by step.
    private static var raw: [any ValidationCase.Type] {
        [
            LocatorCase.self, LifelineCase.self, HangUpCase.self, RingsCase.self,
            EventCountCase.self, LaterEventsCase.self, EventOrderCase.self, EventRangeCase.self,
            RawRampsCase.self, BypassCase.self, ViewCase.self,
        ]
    }

    /// The names of the cases of `--protocol`.
    package static var protocolNames: [String] { raw.map { $0.name } }

    /// The names and the summaries of the cases.
    package static var names: [(name: String, summary: String)] { all.map { ($0.name, $0.summary) } }

    static func named(_ name: String) -> (any ValidationCase.Type)? { all.first { $0.name == name } }
}
