// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Adds, sets and removes the parameters that all events share. Any thread but the render thread.

extension SoundEngine {
    /// Adds a number that all events share whose trees use its name.
    ///
    /// Events that are there already keep their own. Its value and range hold, and those in the trees do not. Throws `alreadyRegistered`,
    /// and `mappedParameter` for a parameter that follows another one: add that one.
    public func addParameter(_ parameter: NumberParameter) throws(SoundEventError) {
        guard case .program = parameter.source else { throw .mappedParameter(parameter.id) }
        let number = GlobalNumber(parameter)
        try add(parameter.id) { $0.numbers[parameter.id] = number }
        running.keep(number)
    }

    /// Adds a text by which all events choose whose trees use its name.
    ///
    /// Events that are there already keep their own. Throws `alreadyRegistered`.
    public func addParameter(_ parameter: TextParameter) throws(SoundEventError) {
        try add(parameter.id) { $0.texts[parameter.id] = GlobalText(parameter) }
    }

    private func add(_ id: String, _ change: (inout GlobalParameters) -> Void) throws(SoundEventError) {
        let isNew = globals.withLock { globals in
            guard !globals.has(id) else { return false }
            change(&globals)
            return true
        }
        guard isNew else { throw .alreadyRegistered(id) }
    }

    /// Removes a shared parameter; false if there is none.
    ///
    /// Events that have it keep its last value.
    @discardableResult
    public func removeParameter(_ id: String) -> Bool {
        let removed = globals.withLock { ($0.numbers.removeValue(forKey: id), $0.texts.removeValue(forKey: id)) }
        if let number = removed.0 { running.letGo(number) }
        return removed.0 != nil || removed.1 != nil
    }

    /// Sets a shared number, within its range, at once or over a time in seconds.
    ///
    /// Throws `unknownParameter` and `notANumber`.
    public func set(_ parameter: String, to value: Double, over seconds: Double = 0) throws(SoundEventError) {
        guard !value.isNaN, !seconds.isNaN else { throw .notANumber(parameter) }
        let isKnown = globals.withLock { globals in
            guard let number = globals.numbers[parameter] else { return false }
            let range = number.parameter.range
            var command = SceneCommand(.glide)
            (command.ramp, command.frameCount) = (number.ramp, frames(seconds))
            command.value = min(range.upperBound, max(range.lowerBound, value))
            running.send([command])
            return true
        }
        guard isKnown else { throw .unknownParameter(parameter) }
    }

    /// Sets a shared text; events choose by it when they start.
    ///
    /// Throws `unknownParameter`.
    public func set(_ parameter: String, to text: String) throws(SoundEventError) {
        guard let shared = globals.withLock({ $0.texts[parameter] }) else { throw .unknownParameter(parameter) }
        shared.value = text
    }
}
