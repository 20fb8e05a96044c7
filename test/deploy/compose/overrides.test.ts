import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { composeCommand } from '../../support/compose/composeCommand.ts'
import { filledExample } from '../../support/compose/example.ts'
import { environmentOf, type Resolved, resolve, root } from '../../support/compose/resolved.ts'
import { findGoProgram } from '../../support/goProgram.ts'

/** Milliseconds; the first run on a machine builds docker compose. */
const minutes = 20 * 60_000

/** The override files of docs/how-to/run-with-compose.md, in the order of the page. */
const [flows = '', builds = '', cloud = ''] = Array.from(
  readFileSync(join(root, 'docs', 'how-to', 'run-with-compose.md'), 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms),
  ([, text = '']) => text,
)

let command: string | undefined
let folder: string
let filled: Record<string, string>
let staging: Resolved

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  filled = filledExample(folder)
  command = await findGoProgram(composeCommand, line => console.error(line))
  if (command !== undefined) staging = await resolve(command, filled)
}, minutes)

afterAll(() => rm(folder, { recursive: true, force: true }))

beforeEach(context =>
  context.skip(command === undefined, 'the reader of compose files is built with Go, which this machine lacks'),
)

describe('two builds side by side', () => {
  test('each worker runs the image that its build id names, and differs in nothing else', async () => {
    const tags = { LOCKERFLOW_VERSION: '0.2.0', LOCKERFLOW_BEFORE: '0.1.0' }
    const { services } = await resolve(command ?? '', { ...filled, ...tags }, builds)
    const { worker, 'worker-before': before, service } = services
    expect([worker, before, service].map(one => one?.image)).toEqual([
      'lockerflow:0.2.0',
      'lockerflow:0.1.0',
      'lockerflow:0.2.0',
    ])
    const deployment = { LOCKERFLOW_DEPLOYMENT: 'lockerflow' }
    expect(worker?.environment).toMatchObject({ ...deployment, LOCKERFLOW_BUILD_ID: '0.2.0' })
    expect(before?.environment).toEqual({ ...worker?.environment, LOCKERFLOW_BUILD_ID: '0.1.0' })
    expect(before).toMatchObject({ command: worker?.command, healthcheck: worker?.healthcheck })
    expect(before?.build).toBeUndefined()
  })
})

describe('flows of your own', () => {
  test('are a folder of gateway and worker, with the calendars of the worker', async () => {
    const { services } = await resolve(command ?? '', filled, flows)
    for (const name of ['gateway', 'worker']) {
      expect(services[name]?.environment?.LOCKERFLOW_FLOWS).toBe('/flows/*.yaml')
      expect(services[name]?.volumes).toMatchObject([{ target: '/flows', read_only: true }])
    }
    expect(services.worker?.environment?.LOCKERFLOW_CALENDARS).toMatch(/^\/flows\//)
  })
})

describe('Temporal Cloud', () => {
  test('is the address of gateway, workers and audit log, and no service waits for a local Temporal', async () => {
    const there = { TEMPORAL_ADDRESS: 'cloud.example:7233', TEMPORAL_NAMESPACE: 'ours' }
    const resolved = await resolve(command ?? '', { ...filled, ...there }, cloud)
    const { services } = resolved
    const TEMPORAL_API_KEY_FILE = join(filled.LOCKERFLOW_SECRETS ?? '', 'temporal-api-key')
    for (const name of ['gateway', 'worker', 'audit']) {
      expect(environmentOf(resolved, name)).toMatchObject({ ...there, TEMPORAL_API_KEY_FILE })
      const own = staging.services[name]?.secrets ?? []
      expect(services[name]?.secrets).toHaveLength(own.length + 1)
      expect(Object.keys(services[name]?.depends_on ?? {})).toEqual(['service'])
    }
    const without = Object.entries(services).filter(([, { profiles }]) => profiles?.includes('elsewhere'))
    expect(without.map(([name]) => name).sort()).toEqual(['preparation', 'temporal', 'temporal-schema', 'temporal-ui'])
  })
})
