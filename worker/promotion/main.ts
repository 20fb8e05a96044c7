import { argv } from 'node:process'
import { bundleFlows } from '../bundle.ts'
import { connect, installRuntime } from '../connection.ts'
import { readPromotion } from '../environment.ts'
import { readArguments, toReport } from './commandLine.ts'
import { promote } from './promote.ts'

// Run once per build, after its workers started to poll, with the workflows of that build: this folder or image.
try {
  const { version, ...how } = readArguments(argv.slice(2))
  const { build, bundle, temporal, ...target } = readPromotion(version)
  if (build === undefined) throw new Error('--deployment and --build-id must name the build to promote.')
  installRuntime('ERROR')
  const connection = await connect(temporal)
  try {
    const promotion = await promote({
      ...target,
      ...how,
      connection,
      build,
      bundle: bundle ?? (await bundleFlows()),
    })
    console.log(toReport(build, how.onlyCheck, promotion).join('\n'))
    if (promotion.objections.length > 0) process.exitCode = 1
  } finally {
    await connection.close()
  }
} catch (error) {
  console.error(`promote: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
