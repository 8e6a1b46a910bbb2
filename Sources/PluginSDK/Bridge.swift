// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The interface of a bridge: it finds plug-ins of a classic format and makes units of them. Control thread.

/// A library that makes units of the plug-ins of a classic format, and holds no unit of its own.
///
///     @c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { MyBridge.exported }
///
/// `[control]` One thread at a time calls it.
public protocol Bridge {
    /// Describes the bridge itself.
    ///
    /// Its component has the type `bridge`, and a subtype that names the format.
    static var description: UnitDescription { get }

    /// Lists the units in a file or folder, such as a library or a bundle.
    ///
    /// It runs in a process of its own, which may crash without harm. Throw only if nothing can be said about `place`. Report
    /// the fault of a single unit as a defect of the listing.
    static func units(at place: String) throws(UnitError) -> UnitListing

    /// Makes the unit that a listing names by this locator.
    ///
    /// Throw a `UnitError` if the plug-in cannot be loaded.
    static func unit(at locator: [String]) throws(UnitError) -> any BridgedUnit
}

/// A unit that is known only at run time: a plug-in of a classic format.
///
/// `[control]` One thread at a time uses it. The kernel that it made last may render meanwhile.
public protocol BridgedUnit: AnyObject {
    /// The description of the unit; read once.
    var description: UnitDescription { get }
    /// The parameters; read once.
    var parameters: ParameterTree { get }
    /// The texts that can be set; read once, and none by default.
    var texts: [TextProperty] { get }
    /// The presets that come with the plug-in; read once, and none by default.
    var factoryPresets: [FactoryPreset] { get }

    /// Makes the kernel, which allocates all that it renders with.
    ///
    /// At most one kernel exists at a time, and its `deinit` runs on a control thread.
    ///
    /// A classic plug-in cannot be relied on to forget its sound. So a new kernel, with the state of the last one, follows a
    /// reset, and output that holds NaN or infinity.
    ///
    /// Throw `UnitError.formatRefused` for a format that the plug-in cannot take.
    func makeKernel(_ setup: RenderSetup) throws(UnitError) -> KernelBox

    /// Applies the parts of factory preset `index` that are not parameters; the parameters follow.
    ///
    /// By default it does nothing.
    func selectFactoryPreset(_ index: Int) throws(UnitError)

    /// The present texts by identifier; none by default.
    var textValues: [String: String] { get }

    /// Sets a text; `identifier` is one of `texts`.
    ///
    /// By default it does nothing.
    ///
    /// Throw a `UnitError` if the unit cannot take the text, for example because it cannot read the file.
    func setText(_ identifier: String, to value: String) throws(UnitError)

    /// True if a new text is heard only from a new kernel; false by default.
    ///
    /// If the kernel renders, it is replaced once a text has been set. Silence is heard until the new one is ready.
    var isRemadeByText: Bool { get }

    /// The unit's view; read once, and nil by default.
    var view: ViewMaker? { get }

    /// Returns the state beside parameters and texts, in a form of the unit's own; nothing by default.
    func saveCustomState() throws(UnitError) -> [UInt8]

    /// Restores the bytes that `saveCustomState` returned, perhaps in another process; empty bytes for a new unit.
    ///
    /// The parameters and texts of the same state follow, unless this throws. By default it does nothing.
    func restoreCustomState(_ bytes: [UInt8]) throws(UnitError)
}

extension BridgedUnit {
    /// No texts.
    public var texts: [TextProperty] { [] }
    /// No factory presets.
    public var factoryPresets: [FactoryPreset] { [] }
    /// Does nothing: the preset holds parameters only.
    public func selectFactoryPreset(_ index: Int) throws(UnitError) {}
    /// No texts.
    public var textValues: [String: String] { [:] }
    /// Does nothing: there are no texts.
    public func setText(_ identifier: String, to value: String) throws(UnitError) {}
    /// False: the kernel itself applies a new text.
    public var isRemadeByText: Bool { false }
    /// No view of its own.
    public var view: ViewMaker? { nil }
    /// No bytes: parameters and texts are the whole state.
    public func saveCustomState() throws(UnitError) -> [UInt8] { [] }
    /// Does nothing: parameters and texts are the whole state.
    public func restoreCustomState(_ bytes: [UInt8]) throws(UnitError) {}
}
