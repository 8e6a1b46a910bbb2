// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A value that a message has set on a channel, in one word that two threads share. Any thread.

/// A program, a controller, a bend or a registered parameter of one channel, with its value.
struct ChannelControl {
    /// The kinds of values.
    enum Kind {
        static var controller: UInt64 { @_noLocks get { 0 } }
        static var program: UInt64 { @_noLocks get { 1 } }
        static var pressure: UInt64 { @_noLocks get { 2 } }
        static var bend: UInt64 { @_noLocks get { 3 } }
        /// A registered or non-registered parameter: 14 bits of its value, and a bit for each half that was set.
        static var parameter: UInt64 { @_noLocks get { 4 } }
        /// The parameter that data entry sets, one for each of both sorts; `isLast` marks the one that was chosen last.
        static var selection: UInt64 { @_noLocks get { 5 } }
    }

    /// The parameter number that stands for none.
    static var noParameter: UInt16 { @_noLocks get { 0x3FFF } }
    /// The bits of a parameter's value that tell which halves were set.
    static var hasUpper: UInt16 { @_noLocks get { 0x4000 } }
    static var hasLower: UInt16 { @_noLocks get { 0x8000 } }
    /// The bit of the selection that was made last.
    static var isLast: UInt16 { @_noLocks get { 0x8000 } }
    /// The bit in the number of a registered parameter.
    static var registered: UInt64 { @_noLocks get { 0x4000 } }
    private static var isSetBit: UInt64 { @_noLocks get { 1 << 16 } }

    /// The value in the lowest 16 bits, then a bit that is 1 for a known value, then the subject.
    let word: UInt64

    @_noLocks init(word: UInt64) { self.word = word }

    @_noLocks
    init(subject: UInt64, value: UInt16?) {
        word = subject << 17 | (value.map { Self.isSetBit | UInt64($0) } ?? 0)
    }

    /// The number of the owner of a value: cable, channel, kind, and the number of the controller or parameter.
    @_noLocks
    static func subject(cable: UInt8, channel: UInt8, _ kind: UInt64, _ number: UInt64 = 0) -> UInt64 {
        UInt64(cable) << 22 | UInt64(channel & 15) << 18 | kind << 15 | number & 0x7FFF
    }

    var subject: UInt64 { @_noLocks get { word >> 17 } }
    /// The value; nil for one that was reset.
    var value: UInt16? { @_noLocks get { word & Self.isSetBit == 0 ? nil : UInt16(truncatingIfNeeded: word) } }
    var cable: UInt8 { @_noLocks get { UInt8(truncatingIfNeeded: subject >> 22) } }
    var channel: UInt8 { @_noLocks get { UInt8(truncatingIfNeeded: subject >> 18) & 15 } }
    var kind: UInt64 { @_noLocks get { subject >> 15 & 7 } }
    var number: UInt64 { @_noLocks get { subject & 0x7FFF } }

    /// The place in the order for sending values again, below `rankCount`.
    ///
    /// Banks come before the program, parameters before the selection that holds, and upper halves of controllers before lower ones.
    var rank: Int {
        @_noLocks get {
            switch kind {
            case Kind.program: return 2
            case Kind.parameter: return 3
            case Kind.selection: return (value ?? 0) & Self.isLast == 0 ? 4 : 5
            case Kind.controller: return number == 0 ? 0 : number == 32 ? 1 : number < 32 ? 6 : 7
            default: return 7
            }
        }
    }

    static var rankCount: Int { @_noLocks get { 8 } }

    /// True for a pedal that holds notes while it is down.
    var isPedal: Bool { @_noLocks get { kind == Kind.controller && (number == 64 || number == 66 || number == 69) } }

    /// True for a value that stays when all controllers of the channel are reset (RP-015).
    var survivesReset: Bool {
        @_noLocks get {
            switch kind {
            case Kind.program, Kind.parameter: return true
            case Kind.controller:
                switch number {
                case 0, 32, 7, 39, 10, 42, 70...79, 91...95, 126, 127: return true
                default: return false
                }
            default: return false
            }
        }
    }

    /// The messages that set the value take this many steps; some steps have no message.
    var stepCount: Int { @_noLocks get { kind == Kind.parameter ? 4 : kind == Kind.selection ? 2 : 1 } }

    /// The message of a step at a frame; nil if the step has none.
    @_noLocks
    func message(step: Int, at time: Int64) -> DueMessage? {
        guard let value else { return nil }
        let (low, high) = (UInt8(value & 127), UInt8(value >> 7 & 127))
        switch kind {
        case Kind.program: return due(0xC0, low, 0, time)
        case Kind.pressure: return due(0xD0, low, 0, time)
        case Kind.bend: return due(0xE0, low, high, time)
        case Kind.parameter where step == 2: return value & Self.hasUpper == 0 ? nil : due(0xB0, 6, high, time)
        case Kind.parameter where step == 3: return value & Self.hasLower == 0 ? nil : due(0xB0, 38, low, time)
        case Kind.parameter:
            return choice(step, isRegistered: number & Self.registered != 0, UInt16(truncatingIfNeeded: number), time)
        case Kind.selection: return choice(step, isRegistered: number != 0, value, time)
        default: return due(0xB0, UInt8(truncatingIfNeeded: number), low, time)
        }
    }

    /// A message that chooses the upper or the lower half of a parameter's number.
    @_noLocks
    private func choice(_ step: Int, isRegistered: Bool, _ parameter: UInt16, _ time: Int64) -> DueMessage {
        let controller: UInt8 = (isRegistered ? 101 : 99) &- (step == 0 ? 0 : 1)
        return due(0xB0, controller, UInt8(step == 0 ? parameter >> 7 & 127 : parameter & 127), time)
    }

    @_noLocks
    private func due(_ status: UInt8, _ data1: UInt8, _ data2: UInt8, _ time: Int64) -> DueMessage {
        DueMessage(time: time, status | channel, data1, data2, cable: cable)
    }
}
