import { bundleFlows, connectWorker, ensureRuntime, readPromotion } from '#worker'
import { promote, ramp, rollBackBuild, toRampReport, toReport, toRollBackReport } from '#worker/promotion'
import { ReportedFailure } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { defaultWatch, findOtherBuild, type PromotionArguments, readPromote } from './arguments.ts'

/** The printed report. It is done if the build is where the caller wants it. */
interface PromotionOutcome {
  readonly report: unknown
  readonly lines: readonly string[]
  readonly isDone: boolean
}

/** Promotes a build with the workflows of this folder or image. */
export async function run(call: VerbCall): Promise<void> {
  const given = readPromote(call, call.environment)
  const warning = findOtherBuild(given, call.environment)
  if (warning !== undefined) call.output.note(warning)
  const { report, lines, isDone } = await change(given, call)
  call.output.result(report, () => lines)
  if (!isDone) throw new ReportedFailure()
}

async function change(given: PromotionArguments, call: VerbCall): Promise<PromotionOutcome> {
  const { deploymentName, buildId, sample, onlyCheck, wait, rollsBack, movesOlder } = given
  const build = { deploymentName, buildId }
  const { build: _read, bundle, temporal, ...target } = readPromotion(build, call.environment)
  ensureRuntime('ERROR')
  const connection = await connectWorker(temporal)
  try {
    if (rollsBack) {
      const report = await rollBackBuild({ ...target, connection }, build, { movesOlder })
      return { report, lines: toRollBackReport(build, report), isDone: report.left.length === 0 }
    }
    const how = { ...(sample !== undefined && { sample }), onlyCheck, wait }
    const input = { ...target, ...how, connection, build, bundle: bundle ?? (await bundleFlows()) }
    if (given.ramp !== undefined) {
      // A ramp that no process watches is a hazard, so a signal rolls back.
      const { signal, output, options } = call
      output.note(`Each step is watched for ${options.watch ?? defaultWatch}. Ctrl-C rolls back.`)
      const report = await ramp({ ...input, ...given.ramp, signal, onProgress: line => output.note(line) })
      return { report, lines: toRampReport(report), isDone: report.outcome === 'promoted' }
    }
    const promotion = await promote(input)
    const isDone = promotion.objections.length === 0
    const outcome = isDone ? (onlyCheck ? 'checked' : 'promoted') : 'refused'
    const report = { outcome, build, ...promotion, staying: Object.fromEntries(promotion.staying) }
    return { report, lines: toReport(build, onlyCheck, promotion), isDone }
  } finally {
    await connection.close()
  }
}
