import { defineConfig } from 'vitest/config'

/** Tests of one store, and those of pages that no store changes. */
const embeddedOnly = ['test/service/store/sqlite/**', 'test/service/apiDocs/**']
const postgresOnly = ['test/service/store/postgres/**']

export default defineConfig({
  test: {
    // A process for each file: native worker code of Temporal does not survive being loaded twice in one.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 45_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    setupFiles: ['test/support/setup/transactionWatch.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: ['test/**/*.test.ts'],
          exclude: postgresOnly,
          globalSetup: ['test/support/setup/temporal.ts'],
        },
      },
      {
        // The whole suite of the service once more, on the other store.
        extends: true,
        test: {
          name: 'postgres',
          include: ['test/service/**/*.test.ts', 'test/model/**/*.test.ts'],
          exclude: embeddedOnly,
          globalSetup: ['test/support/setup/postgres.ts'],
        },
      },
    ],
  },
})
