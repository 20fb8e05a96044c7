import { defineConfig } from 'vitest/config'

/** What knows only one of the two stores, by itself. */
const embeddedOnly = ['test/service/embedded/**']
const postgresOnly = ['test/service/postgres/**']

export default defineConfig({
  test: {
    // A process for each file: native worker code of Temporal does not survive being loaded twice in one.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 45_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: ['test/**/*.test.ts'],
          exclude: postgresOnly,
          globalSetup: ['test/setup/temporal.ts'],
        },
      },
      {
        // The whole suite of the service once more, on the other store.
        extends: true,
        test: {
          name: 'postgres',
          include: ['test/service/**/*.test.ts', 'test/model/**/*.test.ts'],
          exclude: embeddedOnly,
          globalSetup: ['test/setup/postgres.ts'],
        },
      },
    ],
  },
})
