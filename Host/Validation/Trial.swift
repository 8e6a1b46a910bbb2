// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The tools of a case: the unit's component, random numbers, and a list of findings. Thread of the case.

import AudioUnits
import PluginHosting
import Synchronization

/// The act that is being tried.
///
/// The case's watchdog reads it.
final class Activity: Sendable {
    private let text = Mutex("opening it")

    var current: String {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}

/// One run of one case.
final class Trial {
    let component: Component
    let activity: Activity
    var random: SeededRandom
    private(set) var findings: [Finding] = []
    private(set) var remarks: [String] = []
    private(set) var facts: [String: Double] = [:]

    init(_ component: Component, seed: UInt64, caseName: String, activity: Activity = Activity()) {
        self.component = component
        self.activity = activity
        random = SeededRandom(seed: seed, for: caseName)
    }

    func fail(_ sentence: String) { findings.append(Finding(.fail, sentence)) }
    func warn(_ sentence: String) { findings.append(Finding(.warning, sentence)) }
    func remark(_ sentence: String) { remarks.append(sentence) }
    func fact(_ name: String, _ value: Double) { facts[name] = value }

    /// Sets the next act, as a phrase after "while".
    func doing(_ text: String) { activity.current = text }

    func end(_ end: CaseEnd) {
        if let finding = end.finding { findings.append(finding) }
        if case .notApplicable(let sentence) = end { remarks.append(sentence) }
    }

    /// Throws if a sound contains NaN or infinity.
    func requireFinite(_ sound: Sound) throws(CaseEnd) {
        guard let (channel, frame, value) = sound.firstUnusable else { return }
        let what = value.isNaN ? "NaN" : "an infinite sample"
        throw .failed("It put out \(what), in channel \(channel) at frame \(frame), while \(activity.current).")
    }
}

// MARK: - Units

extension Trial {
    /// Starts a unit of the component.
    func open(inProcess: Bool = false, adding addition: ExtensionAddition? = nil) throws(CaseEnd) -> HostedUnit {
        do throws(HostingError) {
            return try HostedUnit(component.outOfQuarantine, inProcess: inProcess, adding: addition)
        } catch {
            throw CaseEnd(error)
        }
    }

    /// Runs an act that may fail in the host or in the unit, and converts the error.
    func attempt<Value>(_ body: () throws(HostingError) -> Value) throws(CaseEnd) -> Value {
        do throws(HostingError) {
            return try body()
        } catch {
            throw CaseEnd(error)
        }
    }

    /// Runs an act and returns the sentence of its refusal, or nil if the unit did not refuse.
    ///
    /// A fault is thrown.
    func refusal(_ body: () throws(HostingError) -> Void) throws(CaseEnd) -> String? {
        do throws(HostingError) {
            try body()
            return nil
        } catch {
            if case .fault = error { throw CaseEnd(error) }
            return "\(error)"
        }
    }

    /// A random value from a parameter's whole range.
    func randomValue(of parameter: Parameter) -> Double {
        parameter.value(at: Double.random(in: 0...1, using: &random))
    }

    /// Sets every parameter to a random value.
    func randomize(_ unit: HostedUnit) throws(CaseEnd) {
        for (keyPath, parameter) in unit.settableParameters {
            let value = randomValue(of: parameter)
            try attempt { () throws(HostingError) in try unit.set(keyPath, to: value) }
        }
    }
}

extension Parameter {
    /// The end of the range that is farther from a value.
    func end(farthestFrom value: Double) -> Double {
        range.upperBound - value >= value - range.lowerBound ? range.upperBound : range.lowerBound
    }
}

extension HostedUnit {
    /// The parameters that a host may set.
    var settableParameters: [(keyPath: String, parameter: Parameter)] {
        parameters.parameters.filter { $0.parameter.flags.isDisjoint(with: [.readOnly, .meter]) }
    }

    /// The channel count for a chain: the unit's preferred one, or another one that it supports.
    var chainChannelCount: Int? {
        let preferred = [description.outputs.first, description.inputs.first].compactMap { $0?.defaultFormat.channelCount }
        return (preferred + [2, 1, 4, 6, 8, 3, 5, 7]).first { takes(channelCount: $0) }
    }

    /// Allocates render resources in a format and frees them; throws if the unit refuses.
    func probe(_ format: AudioFormat, maximumFrameCount: Int) throws(HostingError) {
        let unit = PluginUnit(self)
        unit.maximumFramesToRender = maximumFrameCount
        try unit.setFormat(format)
        try unit.allocateRenderResources()
        unit.deallocateRenderResources()
    }

    /// True if the unit claims to support this channel count at its first input and its first output, as far as they exist.
    func takes(channelCount: Int) -> Bool {
        func formats(_ buses: [Bus]) -> [BusFormat] {
            buses.enumerated().map { index, bus in
                BusFormat(channelCount: index == 0 ? channelCount : bus.isOptional ? 0 : bus.defaultFormat.channelCount)
            }
        }
        let result = Result { () throws(UnitError) in
            try description.checkFormats(inputs: formats(description.inputs), outputs: formats(description.outputs))
        }
        return (try? result.get()) != nil
    }
}
