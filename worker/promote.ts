import { argv } from 'node:process'
import { bundleFlows } from './bundle.ts'
import { connect } from './connection.ts'
import { readPromotion } from './environment.ts'
import { readArguments } from './promotion/arguments.ts'
import { promote } from './promotion/promote.ts'
import { reportOf } from './promotion/report.ts'
import { installRuntime } from './runtime.ts'

// Run once for each build, when its workers poll, with the workflows of that build: those of this folder or image.
try {
  const { said, ...how } = readArguments(argv.slice(2))
  const { build, bundle, temporal, ...place } = readPromotion(said)
  if (build === undefined) throw new Error('which build is to be promoted? Say --deployment and --build-id')
  installRuntime('ERROR')
  const connection = await connect(temporal)
  try {
    const promotion = await promote({
      ...place,
      ...how,
      connection,
      build,
      bundle: bundle ?? (await bundleFlows()),
    })
    console.log(reportOf(build, how.onlyCheck, promotion).join('\n'))
    if (promotion.objections.length > 0) process.exitCode = 1
  } finally {
    await connection.close()
  }
} catch (error) {
  console.error(`promote: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
