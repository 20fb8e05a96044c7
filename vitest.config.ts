import { defineConfig } from 'vitest/config'

/** Tests of one store, and those of pages that no store changes. */
const embeddedOnly = ['test/service/store/sqlite/**', 'test/service/apiDocs/**']
const postgresOnly = ['test/service/store/postgres/**']
/** Tests of the service and the model, which run on both stores. */
const bothStores = ['test/service/**/*.test.ts', 'test/model/**/*.test.ts']

/**
 * Files with a process of their own, because they replace a module, register something for the whole process, or measure
 * its memory. All others share the processes of their project, which load the sources once and run them compiled.
 */
const isolated = [
  'test/addresses/lookups.test.ts',
  'test/service/outbox/dnsRebinding.test.ts',
  'test/service/suggestions/limits.test.ts',
  'test/service/tenancy/fairShares.test.ts',
  'test/telemetry/**/*.test.ts',
]
const isolatedOnBothStores = isolated.filter(path => path.startsWith('test/service/'))

export default defineConfig({
  test: {
    // Processes instead of threads: native worker code of Temporal does not survive being loaded twice in one process.
    pool: 'forks',
    isolate: false,
    // More than the two cores of a small machine, because half of the tests wait for Temporal or for time-outs.
    maxWorkers: 3,
    testTimeout: 45_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    setupFiles: ['test/support/setup/everyFile.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: ['test/**/*.test.ts'],
          exclude: [...postgresOnly, ...isolated],
          globalSetup: ['test/support/setup/temporal.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'embedded-isolated', include: isolated, isolate: true },
      },
      {
        // The whole suite of the service once more, on the other store.
        extends: true,
        test: {
          name: 'postgres',
          include: bothStores,
          exclude: [...embeddedOnly, ...isolated],
          globalSetup: ['test/support/setup/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-isolated',
          include: isolatedOnBothStores,
          isolate: true,
          globalSetup: ['test/support/setup/postgres.ts'],
        },
      },
    ],
  },
})
