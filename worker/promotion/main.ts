import { argv } from 'node:process'
import { bundleFlows } from '../bundle.ts'
import { connect, installRuntime } from '../connection.ts'
import { readPromotion } from '../environment.ts'
import { readArguments } from './commandLine.ts'
import { promote } from './promote.ts'
import { ramp } from './ramp.ts'
import { toRampReport, toReport, toRollBackReport } from './report.ts'
import { rollBackBuild } from './rollBack.ts'

// Run once per build, after its workers started to poll, with the workflows of that build: this folder or image.
try {
  const { version, ramp: rampOptions, rollsBack, json, ...how } = readArguments(argv.slice(2))
  const { build, bundle, temporal, ...target } = readPromotion(version)
  if (build === undefined) throw new Error('--deployment and --build-id must name the build to promote.')
  installRuntime('ERROR')
  const connection = await connect(temporal)
  const print = (report: unknown, lines: readonly string[], isDone: boolean) => {
    console.log(json ? JSON.stringify(report, undefined, 2) : lines.join('\n'))
    if (!isDone) process.exitCode = 1
  }
  try {
    if (rollsBack) {
      const report = await rollBackBuild({ ...target, connection }, build)
      print(report, toRollBackReport(build, report), report.left.length === 0)
    } else {
      const input = { ...target, ...how, connection, build, bundle: bundle ?? (await bundleFlows()) }
      if (rampOptions !== undefined) {
        const report = await ramp({ ...input, ...rampOptions, signal: interruption(), onProgress: console.error })
        print(report, toRampReport(report), report.outcome === 'promoted')
      } else {
        const promotion = await promote(input)
        const isDone = promotion.objections.length === 0
        const report = { outcome: isDone ? (how.onlyCheck ? 'checked' : 'promoted') : 'refused', build, ...promotion }
        const staying = Object.fromEntries(promotion.staying)
        print({ ...report, staying }, toReport(build, how.onlyCheck, promotion), isDone)
      }
    }
  } finally {
    await connection.close()
  }
} catch (error) {
  console.error(`promote: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

/** A ramp that nothing watches is a hazard, so a signal rolls back. A second signal ends the process. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}
