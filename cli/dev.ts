import { mkdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { addressLines } from './addresses.ts'
import { environmentWith } from './environment.ts'
import { aborted, runInterruptible } from './interruption.ts'
import { readPorts } from './settings.ts'
import { startStack } from './stack.ts'

/** Kept between runs, beside the code. */
const folder = '.lockerflow'

await runInterruptible('dev', async interrupted => {
  const { values } = parseArgs({ options: { hardware: { type: 'boolean', default: false } } })
  const ports = readPorts(environmentWith(), 'default')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stack = await startStack({ folder, ports, ...values, progress: line => console.log(line), interrupted })
  console.log(['', 'Everything is running. Ctrl-C stops it.', ...addressLines(stack)].join('\n'))
  await aborted(interrupted)
  await stack.stop()
  return 0
})
