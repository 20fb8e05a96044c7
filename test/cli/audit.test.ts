import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readCollection, readFilter } from '../../cli/audit/arguments.ts'
import { recordAudit } from '../../service/audit/index.ts'
import { openStore } from '../../service/store/index.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { readCommand } from '../support/command/commandLine.ts'
import { runCommandLine } from '../support/command/processLike.ts'
import { temporaryFile } from '../support/service/temporaryStore.ts'

test('exports the entries of a tenant as lines of JSON, and warns of a purge', async () => {
  const databaseUrl = temporaryFile()
  const store = await openStore(databaseUrl)
  for (const [now, tenantId] of [
    [1_000, 'acme'],
    [2_000, 'globex'],
    [3_000, 'acme'],
  ] as const) {
    await recordAudit(store, { action: 'account.removed', now, tenantId, clientId: 'robot', subject: 'u' })
  }
  await store.insertInto('audit_purges').values({ log: 'audit_log', purged_before: 500 }).execute()
  await store.destroy()
  const env = { ...childEnvironment, LOCKERFLOW_DATABASE_URL: databaseUrl }
  const command = ['cli/lockerflow.ts', 'audit', 'export', '--tenant', 'acme']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { env })
  const entry = { tenantId: 'acme', actor: 'client', clientId: 'robot', action: 'account.removed', subject: 'u' }
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map(line => JSON.parse(line))).toEqual([
    { seq: 1, at: '1970-01-01T00:00:01.000Z', ...entry, detail: null },
    { seq: 3, at: '1970-01-01T00:00:03.000Z', ...entry, detail: null },
  ])
  expect(stderr).toBe('audit: entries before 1970-01-01T00:00:00.500Z have been purged.\n')
})

describe('a tenant that the store lacks', () => {
  async function exportOf(tenantId: string) {
    const databaseUrl = temporaryFile()
    const store = await openStore(databaseUrl)
    await recordAudit(store, { action: 'account.removed', now: 1_000, tenantId: 'globex', subject: 'u' })
    await store.destroy()
    return runCommandLine({ LOCKERFLOW_DATABASE_URL: databaseUrl }, ['audit', 'export', '--tenant', tenantId])
  }

  test('is refused', async () => {
    const { code, stdout, stderr } = await exportOf('acmme')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('--tenant: must be a tenant of the store, which lacks acmme.')
  })

  test('is exported if it has entries, as one that was removed', async () => {
    const { code, stdout } = await exportOf('globex')
    expect({ code, tenantId: JSON.parse(stdout).tenantId }).toEqual({ code: 0, tenantId: 'globex' })
  })

  test('is refused before the flows of Temporal are read', async () => {
    const databaseUrl = temporaryFile()
    await (await openStore(databaseUrl)).destroy()
    const environment = { LOCKERFLOW_DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: '127.0.0.1:1' }
    const { code, stderr } = await runCommandLine(environment, ['audit', 'collect', '--tenant', 'acmme'])
    expect(code).toBe(2)
    expect(stderr).toContain('--tenant: must be a tenant of the store, which lacks acmme.')
  })
})

describe('the arguments', () => {
  const now = Date.UTC(2026, 10, 21)
  const filter = { tenantId: undefined, since: undefined, until: undefined }

  test.each([
    [['export'], filter],
    [['export', '--tenant', 'acme'], { ...filter, tenantId: 'acme' }],
    [['export', '--since', '30d'], { ...filter, since: Date.UTC(2026, 9, 22) }],
    [['export', '--until', '2026-11-20'], { ...filter, until: Date.UTC(2026, 10, 20) }],
    [['export', '--since', '2026-11-20T10:00:00+01:00'], { ...filter, since: Date.UTC(2026, 10, 20, 9) }],
  ])('%j', async (args, expected) => expect(readFilter(await readCommand('audit', ...args), now)).toEqual(expected))

  test.each([
    [[], { since: Date.UTC(2026, 10, 14), isLast: false }],
    [['--since', '1d'], { since: Date.UTC(2026, 10, 20), isLast: false }],
    [['--every', '1h'], { since: Date.UTC(2026, 10, 14), interval: 3_600_000, isLast: false }],
    [['--end'], { since: Date.UTC(2026, 10, 14), isLast: true }],
  ])('collect %j', async (args, expected) => {
    const given = await readCommand('audit', 'collect', '--tenant', 'acme', ...args)
    expect(readCollection(given, now)).toEqual({ tenantId: 'acme', ...expected })
  })

  test.each([
    [['list'], 'verb: must be a verb of lockerflow audit, got "list".'],
    [['collect'], '--tenant: must be given.'],
    [['collect', '--tenant', 'acme', '--until', '1d'], '--until: must be an option of this verb.'],
    [['export', '--since', 'yesterday'], '--since: must be a time such as'],
    [['export', '--since', '2'], '--since: must be a time such as'],
    [['export', '--since', '1d', '--until', '2d'], '--until: must be later than --since.'],
    [['export', '--all'], '--all: must be an option of this verb.'],
  ])('%j is refused', async (args, problem) => {
    const reading = readCommand('audit', ...args).then(given => readFilter(given, now))
    await expect(reading).rejects.toMatchObject({ message: expect.stringContaining(problem), exitCode: 2 })
  })

  test('the last pass is not one of many', async () => {
    const given = await readCommand('audit', 'collect', '--tenant', 'acme', '--every', '1h', '--end')
    expect(() => readCollection(given, now)).toThrow('--end: must not be given together with --every.')
  })
})
