// What `npm run bench -- <suite>` runs: prints a table of ratios, and writes it as JSON. Ends with 1 when a bar is not met.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { benchFlows } from './flows/index.ts'
import { type Row, tableOf } from './row.ts'
import { benchService } from './service/index.ts'

const suites: Readonly<Record<string, () => Promise<Row[]>>> = { service: benchService, flows: benchFlows }

const [name = ''] = process.argv.slice(2)
const suite = Object.hasOwn(suites, name) ? suites[name] : undefined
if (suite === undefined) {
  console.error(`bench: which one? npm run bench -- ${Object.keys(suites).join(' | ')}`)
  process.exit(1)
}
const rows = await suite()
const file = `bench/results/${name}.json`
mkdirSync('bench/results', { recursive: true })
writeFileSync(file, `${JSON.stringify({ node: process.version, cores: cpus().length, rows }, null, 2)}\n`)
console.log(`${tableOf(rows)}\n\nwritten to ${file}`)
// Said at once: the package that runs PostgreSQL ends a process that comes to its end by itself with 0.
process.exit(rows.every(({ met }) => met !== false) ? 0 : 1)
