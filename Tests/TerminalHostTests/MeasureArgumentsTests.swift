// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What `measure` takes on its command line, and what it says to the rest. Any thread.

import Measuring
import Testing

@testable import TerminalHost

@Suite struct MeasureArgumentsTests {
    private func settings(_ arguments: [String]) throws -> MeasureSettings {
        var arguments = Arguments(command: MeasureCommand.name, arguments)
        return try MeasureCommand(&arguments).measure.settings
    }

    private func complaint(_ arguments: String...) -> String? {
        var arguments = Arguments(command: MeasureCommand.name, arguments)
        do {
            _ = try MeasureCommand(&arguments)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func oneNumberOfEffectsIsMeasuredBesideOneEffectAndAListAsItIs() throws {
        #expect(try settings([]).measuredEffectCounts == [1])
        #expect(try settings(["--effects", "16"]).measuredEffectCounts == [1, 16])
        #expect(try settings(["--effects", "1"]).measuredEffectCounts == [1])
        #expect(try settings(["--effects", "4,16,4"]).measuredEffectCounts == [4, 16])
    }

    @Test func whoSharesAProcessCanBeSaidOutsideOfTheHost() throws {
        #expect(try settings([]).isolations == [.outOfProcess])
        #expect(try settings(["--isolation", "by-plugin"]).isolations == [.byPlugin])
        #expect(complaint("--isolation", "in-process")?.contains("In process is measured anyway") == true)
        #expect(complaint("--isolation", "together,in-process")?.contains("In process is measured anyway") == true)
        #expect(complaint("--isolation", "nowhere")?.contains("by-manufacturer") == true)
    }

    @Test func withoutVariantsThereIsOneWayAsEverBefore() throws {
        #expect(try settings([]).variants == [MeasureVariant()])
        #expect(MeasureVariant() == MeasureVariant(isolation: .outOfProcess, placement: .together, waiting: .adaptive))
    }

    @Test func everyCombinationIsAVariantInTheOrderGiven() throws {
        let lists = ["--isolation", "together,individually", "--placement", "spread,together", "--waiting", "spin,futex,spin"]
        let variants = try settings(lists).variants
        #expect(variants.count == 8 && Set(variants).count == 8)
        #expect(variants.first == MeasureVariant(isolation: .together, placement: .spread, waiting: .spin))
        #expect(variants.last == MeasureVariant(isolation: .individually, placement: .together, waiting: .futex))
    }

    @Test func aWrongWordOfAListIsAnsweredWithTheRightOnes() {
        #expect(complaint("--placement", "together,apart")?.contains("--placement takes together, spread or branches") == true)
        #expect(complaint("--waiting", "futex,")?.contains("--waiting takes futex, adaptive or spin") == true)
    }

    @Test func spreadingTakesASecondProcessorThatIsNamed() throws {
        let settings = try settings(["--placement", "spread", "--processor", "any"])
        #expect(throws: MeasurementError.spreadWithoutProcessor(.spread)) { try settings.checkPlacements() }
    }

    @Test func aThousandEffectsCanBeAskedFor() throws {
        #expect(try settings(["--effects", "1024"]).measuredEffectCounts == [1, 1024])
        #expect(try settings(["--effects", "3", "--branches", "100"]).measuredEffectCounts == [3])
        #expect(complaint("--effects", "1025")?.contains("from 1 to 1024") == true)
    }

    @Test func aPlotIsAnSVGOrAPNGAndThereIsOneOfRowsOnly() {
        #expect(complaint("--plot", "a.svg") == nil && complaint("--plot", "b/a.PNG") == nil)
        for path in ["a.pdf", "a", "png", "a.svg.gz"] {
            #expect(complaint("--plot", path)?.contains("ends in .svg or .png, not \"\(path)\"") == true)
        }
        #expect(complaint("--plot", "a.svg", "--startup", "3")?.contains("leave --plot out") == true)
    }

    @Test func theFiguresArePrintedInOneForm() {
        #expect(complaint("--csv", "--json")?.contains("leave --json or the other form out") == true)
        #expect(complaint("--csv", "--startup", "3")?.contains("leave --csv out") == true)
    }

    @Test func cyclesAreRoundedUpToWholeBatches() throws {
        for count in [1, 7, 50, 51, 20_000] {
            let settings = try settings(["--cycles", "\(count)"])
            let measured = settings.batchCount * settings.batchSize
            #expect(measured >= count && measured < count + settings.batchCount)
            #expect(settings.batchSize <= MeasureSettings.batchSize)
        }
    }

    @Test func aProcessorIsANumberOrAny() throws {
        #expect(try settings(["--processor", "any"]).processor == .any)
        #expect(try settings(["--processor=3"]).processor == .number(3))
        #expect(complaint("--processor", "fast")?.contains("not \"fast\"") == true)
    }

    @Test func aProcessorThatIsNotAllowedIsNamedWithThoseThatAre() throws {
        let settings = try settings(["--processor", "1023"])
        #expect(throws: MeasurementError.self) { try settings.processorNumber() }
    }

    @Test(arguments: [
        ["--frames", "0"], ["--frames", "32,"], ["--frames", "9000"], ["--effects", "0"], ["--effects", "many"],
        ["--cycles", "0"], ["--cycles", "x"], ["--startup", "0"], ["--period", "-1"], ["--frames"],
    ])
    func nonsenseIsRefused(arguments: [String]) {
        var arguments = Arguments(command: MeasureCommand.name, arguments)
        #expect(throws: CommandError.self) { try MeasureCommand(&arguments) }
    }

    @Test func aMisspeltOptionIsCorrected() {
        #expect(complaint("--efects", "4")?.contains("no option --efects. Did you mean --effects?") == true)
        #expect(complaint("gain")?.contains("one argument too many") == true)
    }
}
