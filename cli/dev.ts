import { mkdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { startTelemetry } from '#telemetry'
import { addressLines, traceLines } from './addresses.ts'
import { loadCodecKeys } from './codecKeys.ts'
import { environmentWith } from './environment.ts'
import { aborted, runInterruptible } from './interruption.ts'
import { readPorts } from './settings.ts'
import { startStack } from './stack.ts'

/** Kept between runs, beside the code. */
const folder = '.lockerflow'

await runInterruptible('dev', async interrupted => {
  const { values } = parseArgs({
    options: { hardware: { type: 'boolean', default: false }, encrypt: { type: 'boolean', default: false } },
  })
  const ports = readPorts(environmentWith(), 'default')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { hardware, encrypt } = values
  const ring = loadCodecKeys(folder, encrypt)
  const parts = { hardware, ...(ring.keys.size > 0 && { ring }) }
  const telemetry = await startTelemetry('dev', reason => console.error(`telemetry not exported: ${reason}`))
  const stack = await startStack({ folder, ports, ...parts, progress: line => console.log(line), interrupted })
  console.log(
    ['', 'Everything is running. Ctrl-C stops it.', ...addressLines(stack), ...traceLines(telemetry)].join('\n'),
  )
  await aborted(interrupted)
  await stack.stop()
  await telemetry.stop()
  return 0
})
