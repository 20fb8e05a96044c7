import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { History } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { searchAttributes, toWorkflowId } from '#flows'
import { findTemporalCommand } from '#testing/temporal'
import { type RecordedFlow, replay } from '#worker'
import { historyFolder, readHistories } from '../../replay/histories.ts'
import { childEnvironment } from '../../support/childEnvironment.ts'
import { book } from '../../support/flows/booking.ts'
import {
  type ChangedBundle,
  failingBundle,
  incompatibleBundle,
  patchedBundle,
} from '../../support/flows/changedBundle.ts'
import { bundle } from '../../support/world/bundle.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import { installTestRuntime } from '../../support/world/runtime.ts'

const command = fileURLToPath(new URL('../../../cli/lockerflow.ts', import.meta.url))
const histories = readHistories()
let folder: string
let incompatible: ChangedBundle
/** Bundle files of the current workflows and of the incompatible ones. */
let current: string
let broken: string

beforeAll(async () => {
  installTestRuntime()
  folder = mkdtempSync(join(tmpdir(), 'lockerflow-exported-'))
  incompatible = await incompatibleBundle()
  current = join(folder, 'current.js')
  broken = join(folder, 'broken.js')
  writeFileSync(current, (await bundle()).code)
  writeFileSync(broken, incompatible.code)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a change of the interpreter', () => {
  test('that is patched replays every history from before it', async () => {
    expect(await replay(await patchedBundle(), histories.values())).toEqual([])
  })

  test('that is not patched fails with every flow that it would have changed, and with no other', async () => {
    const faults = await replay(incompatible, histories.values())
    const changed = [...histories].filter(([, recorded]) => beginsWait(recorded))
    expect(faults.map(({ workflowId }) => workflowId).sort()).toEqual(changed.map(([name]) => name).sort())
    expect(changed.length).toBeGreaterThan(30)
    for (const { reason } of faults) expect(reason).toMatch(/nondeterminism/i)
  })

  test('that throws fails with its message and its place', async () => {
    const flow = histories.get('stock-completed')
    const faults = await replay(await failingBundle(), flow === undefined ? [] : [flow])
    expect(faults.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(
        /^Replay failed: the workflow task failed: a bad build, at enterStep \(.*advance\.ts:\d+:\d+\)$/,
      ),
    ])
  })
})

/**
 * True if the run enters a wait step and waits in it. A run after continue-as-new may already be in its step, a flow that
 * books nothing sets no timer, and a flow that waits for no shipment may set one to find out whether it was booked.
 */
function beginsWait(recorded: RecordedFlow): boolean {
  const { events } = recorded.history as History
  const steps = (events ?? []).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: written }) => {
    const { data } = written?.searchAttributes?.indexedFields?.[searchAttributes.steps.name] ?? {}
    // JSON contains the data in base64.
    return data ? [JSON.parse(Buffer.from(String(data), 'base64').toString())] : []
  })
  return /timerStarted/.test(JSON.stringify(events)) && steps.some(step => step !== null)
}

/** Runs the command on paths: its exit code, and its lines. */
async function check(paths: readonly string[], bundleFile = current) {
  const env = { ...childEnvironment, LOCKERFLOW_WORKFLOW_BUNDLE: bundleFile }
  const run = promisify(execFile)(process.execPath, [command, 'replay', ...paths], { env, maxBuffer: 1 << 24 })
  const { code, stdout, stderr } = await run.then(
    out => ({ ...out, code: 0 }),
    error => error,
  )
  return { code, lines: String(stdout).trim().split('\n'), stderr: String(stderr) }
}

describe('the replay command', () => {
  const loan = join(historyFolder, 'issueFromStockAndSubsequentIntakeAndCircularStock-completed.json')
  const refused = join(historyFolder, 'stock-refused.json')

  test('reports each history of a folder that replays', async () => {
    const { code, lines } = await check([historyFolder])
    const files = readdirSync(historyFolder).sort()
    expect(lines).toEqual([
      ...files.map(file => `ok      ${join(historyFolder, file)}`),
      `${files.length} of ${files.length} histories replay.`,
    ])
    expect(code).toBe(0)
  })

  test('fails if one does not, and continues with the others', async () => {
    const { code, lines } = await check([loan, refused], broken)
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^FAILED  ${loan}: .*nondeterminism`, 'i')),
      `ok      ${refused}`,
      '1 of 2 histories replay.',
    ])
    expect(code).toBe(1)
  })

  test("accepts an open flow's history from the temporal command", async () => {
    const { address, namespace } = inject('temporal')
    const world = await createWorld({ temporal: { address, namespace } })
    const { caseNo } = await book(world, 'issue')
    const temporal = await findTemporalCommand(line => console.error(line))
    const args = ['workflow', 'show', '--address', address, '--namespace', namespace, '-w', toWorkflowId(caseNo)]
    const { stdout } = await promisify(execFile)(temporal, [...args, '-o', 'json'])
    const file = join(folder, `${caseNo}.json`)
    writeFileSync(file, stdout)
    await world.flows.cancel(caseNo, 'over')
    await world.stop()
    expect(await check([file])).toMatchObject({ code: 0, lines: [`ok      ${file}`, '1 of 1 histories replay.'] })
    expect(await check([file], broken)).toMatchObject({ code: 1 })
  })

  test("accepts the list of events that Temporal's Web UI saves", async () => {
    const file = join(folder, 'events.json')
    writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(loan, 'utf8')).events))
    expect(await check([file])).toMatchObject({ code: 0, lines: [`ok      ${file}`, '1 of 1 histories replay.'] })
  })

  test('fails for a file that is not a history, and continues with the others', async () => {
    const files = {
      'half a file': ['{"events": [', /JSON/],
      'not JSON': ['', /does not contain a history: Unexpected end of JSON input/],
      'a file of Windows': ['\ufeff{"events": []}\r\n', /does not contain a history: its first event/],
      'something else': ['{"items": []}', /does not contain a history/],
      'nothing that happened': ['{"events": []}', /does not contain a history/],
      'the second half': [
        '{"events": [{"eventId": "7", "eventType": "EVENT_TYPE_TIMER_FIRED"}]}',
        /does not contain a history/,
      ],
    } as const
    const strange = mkdtempSync(join(folder, 'strange-'))
    for (const [name, [text]] of Object.entries(files)) writeFileSync(join(strange, `${name}.json`), text)
    const { code, lines } = await check([strange, refused])
    for (const [name, [, reason]] of Object.entries(files)) {
      expect(lines.find(line => line.includes(name))).toMatch(new RegExp(`^FAILED .*${name}.json: .*${reason.source}`))
    }
    expect(lines.slice(-2)).toEqual([`ok      ${refused}`, '1 of 7 histories replay.'])
    expect(code).toBe(1)
  })

  test('fails when there is nothing to replay', async () => {
    const empty = mkdtempSync(join(folder, 'empty-'))
    for (const [paths, code] of [
      [[], 2],
      [[empty], 2],
      [[join(folder, 'gone')], 2],
    ] as const) {
      expect(await check(paths)).toMatchObject({ code, stderr: expect.stringMatching(/^replay: /) })
    }
  })

  test('accepts folders and files together', async () => {
    const some = mkdtempSync(join(folder, 'some-'))
    cpSync(loan, join(some, basename(loan)))
    expect((await check([some, refused])).lines.at(-1)).toBe('2 of 2 histories replay.')
  })
})
