import { mkdir } from 'node:fs/promises'
import { addressesOf } from './addresses.ts'
import { interrupted } from './interrupted.ts'
import { startStack } from './stack.ts'

/** Kept between runs, beside the code. */
const folder = '.lockerflow'
const ports = { service: 8080, gateway: 8081, temporal: 7233, ui: 8233 }

try {
  await mkdir(folder, { recursive: true })
  const stack = await startStack({ folder, ports, progress: line => console.log(line) })
  console.log(['', 'Everything is up; Ctrl-C ends it.', ...addressesOf(stack)].join('\n'))
  await interrupted()
  await stack.stop()
} catch (error) {
  console.error(`dev: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
