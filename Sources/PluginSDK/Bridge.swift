// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a bridge writes: how plug-ins of a classic format are found and become units. Control thread.

/// A library that holds no unit of its own and makes units of somebody else's plug-ins.
///
///     @c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { MyBridge.exported }
public protocol Bridge {
    /// What the bridge is; its component is of type `bridge`, and its subtype names the format.
    static var description: UnitDescription { get }

    /// What units a place holds: a library, a folder. Runs in a process of its own, which may die of it.
    ///
    /// Throw only when nothing at all can be said of the place; what concerns one unit is a defect of the listing.
    static func units(at place: String) throws(UnitError) -> UnitListing

    /// Becomes the unit that a listing had under this locator.
    static func unit(at locator: [String]) throws(UnitError) -> any BridgedUnit
}

/// A unit that is found out at run time.
///
/// `[control]` One thread at a time uses it; the kernel that it made last may render meanwhile.
public protocol BridgedUnit: AnyObject {
    var description: UnitDescription { get }
    var parameters: ParameterTree { get }
    var texts: [TextProperty] { get }
    var factoryPresets: [FactoryPreset] { get }

    /// Makes the kernel; there is one at a time. Its `deinit` runs on the control thread too.
    ///
    /// It is made anew, with the state that the last one had, whenever the unit is reset or puts out something that is no
    /// number: what plug-ins forget by themselves is left to chance.
    func makeKernel(_ setup: RenderSetup) throws(UnitError) -> KernelBox

    /// Takes what a factory preset holds beside parameters, which follow.
    func selectFactoryPreset(_ index: Int) throws(UnitError)

    /// The texts as they are now, by identifier.
    var textValues: [String: String] { get }

    /// Takes a text; its identifier is one of `texts`.
    func setText(_ identifier: String, to value: String) throws(UnitError)

    /// What the unit keeps beside parameters and texts.
    func saveCustomState() throws(UnitError) -> [UInt8]

    /// Takes what `saveCustomState` returned, maybe in another process; empty for a unit that is new.
    ///
    /// The parameters and texts of that state follow, unless it is refused.
    func restoreCustomState(_ bytes: [UInt8]) throws(UnitError)
}

extension BridgedUnit {
    public var texts: [TextProperty] { [] }
    public var factoryPresets: [FactoryPreset] { [] }
    public func selectFactoryPreset(_ index: Int) throws(UnitError) {}
    public var textValues: [String: String] { [:] }
    public func setText(_ identifier: String, to value: String) throws(UnitError) {}
    public func saveCustomState() throws(UnitError) -> [UInt8] { [] }
    public func restoreCustomState(_ bytes: [UInt8]) throws(UnitError) {}
}
