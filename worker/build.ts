import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { prebuildFlows } from './bundle.ts'

/** Ignored by git. Production passes its own path. */
const usual = '.lockerflow/workflows.js'

const file = resolve(process.argv[2] ?? usual)
try {
  // The usual folder also contains the store of the service. Another one may have other readers.
  await mkdir(dirname(file), { recursive: true, ...(process.argv[2] === undefined && { mode: 0o700 }) })
  await prebuildFlows(file)
  console.log(`workflow bundle written: LOCKERFLOW_WORKFLOW_BUNDLE=${file}`)
} catch (error) {
  console.error(`build: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
