// `npm run test:all -- fuzz` tests the service on an embedded store, `npm run test:all -- fuzz postgres` on PostgreSQL, and
// `npm run test:all -- fuzz flow-api` the flow API.
import { fuzzFlowApi } from './flowApi.ts'
import { fuzzOnPostgres, fuzzService } from './service.ts'

const suites: Readonly<Record<string, () => Promise<boolean>>> = {
  service: () => fuzzService(),
  postgres: fuzzOnPostgres,
  'flow-api': fuzzFlowApi,
}

const [name = 'service'] = process.argv.slice(2)
const suite = Object.hasOwn(suites, name) ? suites[name] : undefined
if (suite === undefined) {
  console.error(
    `fuzz: the argument must be one of ${Object.keys(suites).join(', ')}: npm run test:all -- fuzz flow-api`,
  )
  process.exit(1)
}
const passed = await suite().catch(error => {
  console.error(error instanceof Error ? error.message : String(error))
  return false
})
// An explicit exit is needed: embedded parts end a process that runs out of work with 0.
process.exit(passed ? 0 : 1)
