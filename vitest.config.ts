import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { bypassProxyOnLoopback } from './platform/environment.ts'
import { notQuick, quick, quickAlone, quickPostgres } from './test/suites.ts'
import { SlowFirst } from './test/support/setup/slowFirst.ts'

// Hundreds of processes of the tests load the same sources. Compiled ones save a third of the time of their start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'compiled')
// Temporal's servers are Go programs. With fewer garbage collections they take about a tenth less processor time.
process.env.GOGC ??= '400'
process.env.GOMEMLIMIT ??= '2GiB'
bypassProxyOnLoopback()

/** Tests of one store, and those of pages and file formats that no store changes. */
const embeddedOnly = [
  'test/service/store/sqlite/**',
  'test/service/http/apiDocs/**',
  'test/service/suggestions/readFile.test.ts',
  'test/service/suggestions/readInProcess.test.ts',
  'test/service/suggestions/xlsx.test.ts',
]
const postgresOnly = ['test/service/store/postgres/**']
/** Tests of the service and the model, which run on both stores. */
const bothStores = ['test/service/**/*.test.ts', 'test/model/**/*.test.ts']

/** Tests of bookings, which PostgreSQL runs twice: in batches, and each in a transaction of its own. */
const bookings = [
  'test/service/http/idempotency.test.ts',
  'test/service/lockers/lastLocker.test.ts',
  'test/service/lockers/reserve.test.ts',
  'test/service/shipments/createRefusals.test.ts',
  'test/service/shipments/lifecycle.test.ts',
]

/**
 * Files that run at the end, two at a time and each in a process of its own, because they measure times or memory, replace
 * a module, or register something for the whole process. All others share the processes of their project, which load the
 * sources once and run them compiled.
 */
const alone = [
  'test/platform/addresses/lookups.test.ts',
  'test/bench/short.test.ts',
  'test/gateway/traces.test.ts',
  // They build into the tree, which other files read.
  'test/packages/contents.test.ts',
  'test/packages/installed.test.ts',
  'test/packages/installedExamples.test.ts',
  'test/service/http/bodyRate.test.ts',
  'test/service/http/overload.test.ts',
  'test/service/http/traces.test.ts',
  'test/service/outbox/delivery.test.ts',
  'test/service/outbox/dnsRebinding.test.ts',
  'test/service/outbox/fairness.test.ts',
  'test/service/outbox/slowReceivers.test.ts',
  'test/service/suggestions/fairness.test.ts',
  'test/service/suggestions/limits.test.ts',
  'test/service/tenancy/fairShares.test.ts',
  'test/service/tenancy/timing.test.ts',
  'test/platform/telemetry/**/*.test.ts',
]
const atTheEnd = {
  isolate: true,
  maxWorkers: 2,
  sequence: { groupOrder: 1 },
  // For the files that replace a module of Node.js.
  experimental: { viteModuleRunner: false, nodeLoader: true },
}

export default defineConfig({
  test: {
    // Processes instead of threads: native worker code of Temporal does not survive being loaded twice in one process.
    pool: 'forks',
    isolate: false,
    // Node.js loads the sources as it does in production. Those that vitest rewrites reach each import through a getter, which
    // makes the tests of the service take half as much processor time again.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: SlowFirst },
    // More than the two cores of a small machine, because many files wait for Temporal or for timeouts. At most eight,
    // because all share one PostgreSQL and one server of Temporal.
    maxWorkers: Math.min(8, Math.max(6, availableParallelism())),
    // The timeouts guard against hanging only. A busy machine makes a test ten times as long.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: ['test/support/setup/everyFile.ts'],
    projects: [
      // `npm test` runs the quick projects, and `npm run test:all` all others, which contain every quick test.
      {
        extends: true,
        test: {
          name: 'quick',
          include: quick,
          exclude: [...notQuick, ...quickAlone],
          globalSetup: ['test/support/setup/temporal.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'quick-postgres', include: quickPostgres, globalSetup: ['test/support/setup/postgres.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'quick-alone',
          include: quickAlone,
          globalSetup: ['test/support/setup/temporal.ts'],
          ...atTheEnd,
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          include: ['test/**/*.test.ts'],
          exclude: [...postgresOnly, ...alone],
          globalSetup: ['test/support/setup/temporal.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded-alone',
          include: alone,
          globalSetup: ['test/support/setup/temporal.ts'],
          ...atTheEnd,
        },
      },
      {
        // The whole suite of the service once more, on the other store.
        extends: true,
        test: {
          name: 'postgres',
          include: bothStores,
          exclude: [...embeddedOnly, ...alone],
          globalSetup: ['test/support/setup/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-unbatched',
          include: bookings,
          env: { LOCKERFLOW_TEST_BATCHED_BOOKINGS: 'false' },
          globalSetup: ['test/support/setup/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-alone',
          include: alone.filter(path => path.startsWith('test/service/')),
          globalSetup: ['test/support/setup/postgres.ts'],
          ...atTheEnd,
        },
      },
    ],
  },
})
