// `npm run test:all -- attack`: the security checks against a service of each mode, or against the one that the arguments name.
// With --heavy: the fairness between two tenants, a minute for each attack, on both stores. --only limits it to the rows whose
// name matches, and --record continues an earlier run. Exits with 1 unless all rows hold.
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'
import { readTarget, targetVariables } from './givenTarget.ts'
import { measureFairness } from './heavy/run.ts'

const usage = `usage: npm run test:all -- attack [--heavy [--only PATTERN] [--record FILE]]
       npm run test:all -- attack --base-url URL [--auth-url URL] [--mode staging|production] --attacker ID:SECRET --victim ID:SECRET [--hardware-key KEY]
The two clients must belong to two tenants with a pick up point each. The checks book lockers and create accounts.`

try {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      heavy: { type: 'boolean', default: false },
      only: text,
      record: text,
      help: { type: 'boolean', default: false },
      'base-url': text,
      'auth-url': text,
      mode: text,
      attacker: text,
      victim: text,
      'hardware-key': text,
    },
  })
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  if (values.heavy) {
    const seconds = Number(process.env.LOCKERFLOW_ATTACK_SECONDS ?? 60)
    process.exit((await measureFairness({ ...values, seconds })) ? 0 : 1)
  }
  for (const [name, variable] of Object.entries(targetVariables)) {
    const value = values[name as keyof typeof targetVariables]
    if (value !== undefined) process.env[variable] = value
  }
  readTarget(process.env)
  await startVitest([], {
    run: true,
    watch: false,
    config: false,
    include: ['test/attack/*.test.ts'],
    pool: 'forks',
    testTimeout: 180_000,
    hookTimeout: 180_000,
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  console.error(usage)
  process.exitCode = 2
}
process.exit()
