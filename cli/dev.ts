import { mkdir } from 'node:fs/promises'
import { startTelemetry } from '#telemetry'
import { addressLines, traceLines } from './addresses.ts'
import { loadCodecKeys } from './codecKeys.ts'
import { isGiven } from './command/values.ts'
import type { VerbCall } from './command/verb.ts'
import { aborted } from './interruption.ts'
import { readPorts } from './settings.ts'
import { startStack } from './stack.ts'

/** Kept between runs, beside the code. */
const folder = '.lockerflow'

/** Starts everything, and stops it when the signal aborts. */
export async function run(call: VerbCall): Promise<void> {
  const { environment, output, signal } = call
  const ports = readPorts(environment, 'default')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const hardware = isGiven(call, 'hardware')
  const ring = loadCodecKeys(folder, isGiven(call, 'encrypt'))
  const parts = { hardware, ...(ring.keys.size > 0 && { ring }) }
  const telemetry = await startTelemetry('dev', reason => output.note(`telemetry not exported: ${reason}`))
  const progress = (line: string) => output.item({ progress: line }, () => line)
  const stack = await startStack({ folder, ports, ...parts, progress, interrupted: signal })
  const { temporalAddress, namespace, uiUrl, serviceAddress, gatewayAddress, hardwareAddress, codecAddress } = stack
  output.item(
    { temporalAddress, namespace, uiUrl, serviceAddress, gatewayAddress, hardwareAddress, codecAddress },
    () => ['', 'Everything is running. Ctrl-C stops it.', ...addressLines(stack), ...traceLines(telemetry)].join('\n'),
  )
  await aborted(signal)
  await stack.stop()
  await telemetry.stop()
}
