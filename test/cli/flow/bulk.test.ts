import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { root } from '../../project/sources.ts'
import { childEnvironment } from '../../support/childEnvironment.ts'
import { hasTerminal, keys, runOnTerminal } from '../../support/command/terminal.ts'
import { runVerb } from '../../support/command.ts'
import { eventually } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const folder = mkdtempSync(join(tmpdir(), 'lockerflow-bulk-'))

function environment(): Record<string, string> {
  const { options } = world.client.connection as unknown as { readonly options: { readonly address: string } }
  return {
    TEMPORAL_ADDRESS: options.address,
    TEMPORAL_NAMESPACE: world.client.options.namespace,
    LOCKERFLOW_TASK_QUEUE: world.taskQueue,
  }
}

const lockerflow = (...args: string[]) => runVerb(args, environment())

function startProcess(words: readonly string[], cwd = root) {
  return spawn(process.execPath, [join(root, 'cli/lockerflow.ts'), ...words], {
    cwd,
    env: { ...childEnvironment, ...environment() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Starts flows that are overdue, and waits until Temporal lists them so. */
async function bookOverdue(count: number): Promise<{ readonly cases: string[]; readonly where: string }> {
  const booked = await Promise.all(Array.from({ length: count }, () => book(world, 'stock', { dropOff: '200ms' })))
  const cases = booked.map(({ caseNo }) => caseNo)
  const where = `overdue and case in (${cases.map(caseNo => `'${caseNo}'`).join(', ')})`
  await eventually(async () => {
    const page = await world.flows.list({ where })
    return page.kind === 'Listed' && page.cases.length === count
  })
  return { cases, where }
}

/** The decisions that a flow accepted. */
async function countDecisions(caseNo: string): Promise<number> {
  const { events } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  const accepted = (events ?? []).map(event => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest)
  return accepted.filter(request => request?.input?.name === 'decide').length
}

/** The lines of a report after its head; none before it exists. */
const linesOf = (file: string) => readIfPresent(file).split('\n').slice(1).filter(Boolean)

async function cancelAll(cases: readonly string[]): Promise<void> {
  await Promise.all(cases.map(caseNo => world.flows.cancel(caseNo, 'over')))
}

test('a bulk that is killed in the middle and resumed decides each case once', async () => {
  const { cases, where } = await bookOverdue(8)
  const report = join(folder, 'killed.jsonl')
  // Soon overdue again, so that a second decision would be accepted.
  const decide = ['flow', 'decide', '--where', where, '--by', '200ms', '--yes', '--rate', '1', '--report', report]
  const child = startProcess(decide)
  const ended = new Promise(resolve => child.once('exit', resolve))
  await eventually(() => Promise.resolve(linesOf(report).length > 2))
  child.kill('SIGKILL')
  await ended

  // As if the process had been killed between an update and its line, and within another line.
  const [head, ...lines] = readFileSync(report, 'utf8').split('\n').filter(Boolean)
  const kept = lines.slice(0, -2)
  expect(kept.length).toBeLessThan(cases.length - 2)
  writeFileSync(report, [head, ...kept, ''].join('\n'))
  appendFileSync(report, lines.at(-1)?.slice(0, 20) ?? '')
  for (const line of lines) await world.statusWhen(JSON.parse(line).caseNo, ({ overdue }) => overdue)

  const resumed = await lockerflow('flow', 'decide', '--resume', report, '--rate', '100')
  expect(resumed).toMatchObject({ code: 0, values: [{ cases: 8, done: 8, refused: 0, open: 0, report }] })
  expect(
    linesOf(report)
      .map(line => JSON.parse(line).caseNo)
      .toSorted(),
  ).toEqual(cases.toSorted())
  expect(await Promise.all(cases.map(countDecisions))).toEqual(cases.map(() => 1))

  expect(await lockerflow('flow', 'decide', '--resume', report)).toMatchObject({ code: 0, values: [{ done: 8 }] })
  expect(await Promise.all(cases.map(countDecisions))).toEqual(cases.map(() => 1))
  await cancelAll(cases)
})

function readIfPresent(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

test('a bulk shows its flows first, changes nothing without a yes, and reports those that refuse', async () => {
  const { cases, where } = await bookOverdue(2)
  const report = join(folder, 'shown.jsonl')
  const decide = ['flow', 'decide', '--where', where, '--decision', 'keepWaiting', '--report', report]
  const dry = await lockerflow(...decide, '--dry-run')
  expect(dry).toMatchObject({ code: 0, values: [{ cases: expect.arrayContaining(cases) }] })
  expect(dry.lines.at(-1)).toBe('Decide to keep waiting for 2 flows: not done (--dry-run).')
  const asked = await lockerflow(...decide)
  expect([asked.code, asked.failure?.message]).toEqual([2, expect.stringContaining('--yes: must be given')])
  expect(asked.notes[0]).toMatch(/^case +flow +state/)
  expect(readIfPresent(report)).toBe('')

  // One of them is no longer overdue when its turn comes, and Temporal lists it as before.
  const [first = '', second = ''] = cases
  const waiting = lockerflow(...decide, '--yes', '--rate', '0.1')
  await eventually(() => Promise.resolve(linesOf(report).length > 0))
  const done = JSON.parse(linesOf(report)[0] ?? '{}').caseNo
  const other = done === first ? second : first
  await world.flows.decide(other, { decision: 'extend', by: '1h' })
  expect(await waiting).toMatchObject({
    code: 1,
    values: [{ cases: 2, done: 1, refused: 1, open: 0 }],
    notes: expect.arrayContaining(['2 of 2, 1 refused']),
    failure: { message: '1 of 2 flows refused.', remedy: `Read their reasons in ${report}.` },
  })
  expect(linesOf(report).map(line => JSON.parse(line))).toMatchObject([
    { caseNo: done, result: 'Decided' },
    { caseNo: other, result: 'Refused', code: 'NothingToDecide' },
  ])
  expect(await lockerflow(...decide, '--yes')).toMatchObject({ code: 0, lines: ['No flow matches.'] })
  await cancelAll(cases)
})

test.skipIf(!hasTerminal)('a bulk asks on a terminal, and does nothing unless the answer is yes', async () => {
  const { cases, where } = await bookOverdue(1)
  const [caseNo = ''] = cases
  const words = ['flow', 'decide', '--where', where, '--by', '1h', '--report', join(folder, 'asked.jsonl')]
  const question = 'Extend by 1h 1 flow?'
  const denied = await runOnTerminal(environment(), words, [[question, keys.enter]])
  expect([denied.code, denied.printed]).toEqual([0, expect.stringContaining('Nothing was changed.')])
  expect(await countDecisions(caseNo)).toBe(0)
  const agreed = await runOnTerminal(environment(), words, [[question, 'y']])
  expect([agreed.code, agreed.printed]).toEqual([0, expect.stringContaining('1 of 1 done, 0 refused, 0 open.')])
  expect(await countDecisions(caseNo)).toBe(1)
  await cancelAll(cases)
})

test('without --report, the name of the report has the id of the bulk', async () => {
  const { where } = await bookOverdue(1)
  const cwd = mkdtempSync(join(folder, 'default-'))
  await once(startProcess(['flow', 'cancel', '--where', where, '--reason', 'over', '--yes'], cwd), 'exit')
  const [report = ''] = readdirSync(cwd)
  const { bulk } = JSON.parse(readFileSync(join(cwd, report), 'utf8').split('\n')[0] ?? '')
  expect(report).toBe(`lockerflow-bulk-${bulk}.jsonl`)
})

test('Ctrl-C ends a bulk between two cases and says how to go on, and the report goes on', async () => {
  const { cases, where } = await bookOverdue(3)
  const report = join(folder, 'interrupted.jsonl')
  const cancel = ['flow', 'cancel', '--where', where, '--reason', 'over', '--yes', '--report', report]
  const child = startProcess([...cancel, '--rate', '0.1'])
  const printed = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  await eventually(() => Promise.resolve(linesOf(report).length === 1))
  child.kill('SIGINT')
  const [stdout, stderr, [code]] = await printed
  expect([code, stdout]).toEqual([130, `1 of 3 done, 0 refused, 2 open. Report: ${report}\n`])
  const goOn = `  Continue: lockerflow flow cancel --resume ${report}\n  (Interrupted)\n`
  expect(stderr.endsWith(`flow cancel: interrupted, 2 of 3 cases are open.\n${goOn}`)).toBe(true)
  expect(await lockerflow('flow', 'decide', '--resume', report)).toMatchObject({ code: 2 })
  expect(await lockerflow('flow', 'cancel', '--resume', report)).toMatchObject({ code: 0, values: [{ done: 3 }] })
  expect(linesOf(report).map(line => JSON.parse(line).result)).toEqual(['Cancelled', 'Cancelled', 'Cancelled'])
  expect(await Promise.all(cases.map(async caseNo => (await world.flows.result(caseNo)).kind))).toEqual(
    cases.map(() => 'Ended'),
  )
})

test.each([
  ['{}\n', 'must be the report of a bulk command, got '],
  ['', 'must be the report of a bulk command, got '],
])('a file that is not a report, %j, is not resumed', async (text, message) => {
  const file = join(folder, 'other.jsonl')
  writeFileSync(file, text)
  const { code, failure } = await lockerflow('flow', 'decide', '--resume', file)
  expect([code, failure?.message]).toEqual([2, expect.stringContaining(message)])
})
