// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The offender's offences, named by the validation cases that must notice them. Any thread.

/// One offence; `none` keeps to every rule.
///
/// The part after a dot tells offences apart that the same case notices.
enum Offence: String, CaseIterable {
    case none
    /// Describes its parameters differently when its host opens it for the third time.
    case opening
    /// Refuses to start while another instance exists.
    case instances
    /// Has a bus without a name.
    case metadata
    /// Has a whole-numbered parameter that begins at 3.5.
    case parameters
    /// Puts out NaN in a block of 8191 frames, at 176.4 kHz, in mono.
    case blockSizes = "block-sizes"
    case sampleRates = "sample-rates"
    case channelLayouts = "channel-layouts"
    /// Puts out NaN after it has heard nothing but silence for a quarter of a second.
    case silence
    /// Answers a single 1 with something that grows.
    case impulse
    /// Puts out NaN when it hears full scale for a while.
    case fullScale = "full-scale"
    /// Fades away into subnormal numbers, for ever.
    case denormals
    /// Never forgets a NaN.
    case notANumber = "not-a-number"
    /// Claims no tail, and has one of a second.
    case tail
    /// Puts out NaN after a slow rise of a value, with values at their highest for a while, and with one preset's value.
    case parameterSweep = "parameter-sweep"
    case parameterExtremes = "parameter-extremes"
    case presets
    /// Crashes when many changes come at once.
    case parameterFuzz = "parameter-fuzz"
    /// Loops without end when a ramp is one frame long.
    case automation
    /// Crashes at notes around the middle of the keyboard.
    case midi
    /// Does not take its own part of a state while it renders.
    case stateRoundTrip = "state-round-trip"
    /// Takes it in reverse while it renders.
    case reversesState = "state-round-trip.order"
    /// Sounds different once a state was restored.
    case stateSound = "state-sound"
    /// Crashes on a state that is not its own.
    case damagedState = "damaged-state"
    /// Has an echo that a reset does not end.
    case reset
    /// Adds noise that is never the same.
    case determinism
    /// Sounds different in the host's process.
    case inProcess = "in-process"
    /// Crashes in the host's process.
    case crashesInProcess = "in-process.crashes"
    /// Claims 64 frames of latency, and has none.
    case latency
    /// Has 64 frames of latency, and claims none before its first block.
    case lateLatency = "latency.late"
    /// Lets a change take effect eight frames too early.
    case sampleAccuracy = "sample-accuracy"
    /// Ramps a frame early, or a frame late.
    case ramps
    case rampsLate = "ramps.late"
    /// Does not start again after it was killed while it waited, or while it rendered.
    case killedBetweenBlocks = "killed-between-blocks"
    case killedInsideBlock = "killed-inside-block"
    /// Takes more than half of a block's length.
    case renderTime = "render-time"
    case allocates = "render-thread.allocates"
    case locks = "render-thread.locks"
    case readsFiles = "render-thread.reads-files"
    case sleeps = "render-thread.sleeps"
    case leaksMemory = "leaks.memory"
    case leaksDescriptors = "leaks.descriptors"
    case leaksThreads = "leaks.threads"
    /// Leaves a process behind.
    case hostLeaks = "host-leaks"
}
