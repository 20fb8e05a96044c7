import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type FlowDeclaration, toWorkflowId } from '#flows'
import type { Fields } from '#flows/declaration'
import { createLog } from '#platform/logs'
import { commonOptions } from '../../../cli/command/program.ts'
import { flowVerbs } from '../../../cli/flow/verbs.ts'
import { runProcess } from '../../support/command/process.ts'
import { runCommandLine } from '../../support/command/processLike.ts'
import { startVerb } from '../../support/command/verbs.ts'
import { runVerb } from '../../support/command.ts'
import { eventually } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { useWorkshop } from '../../support/flows/useWorkshop.ts'
import { assembly, repairForDays } from '../../support/flows/workshop.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

/** The lines that the service logged. */
const logged: Record<string, unknown>[] = []
const log = createLog('info', { write: line => void logged.push(JSON.parse(line)) })
const world = useWorld({ service: { log } })
/** Two questions, of which the second keeps the flow open. */
const approval: FlowDeclaration = {
  name: 'approval',
  summary: 'A budget is approved.',
  input: {},
  steps: [
    { name: 'approval', summary: 'It is approved.', who: 'staff', ask: { approve: { budget: 'text' } }, window: null },
    { name: 'seen', summary: 'It is seen.', who: 'staff', ask: { yes: {} }, window: null },
  ],
}
/** The names of all options of `flow answer`, and another one. */
const plan: Fields = {
  by: 'text',
  timeout: 'integer',
  json: 'boolean',
  set: 'text',
  help: 'text',
  cents: 'integer',
}
/** The fields of an answer have the names of options. */
const asking: FlowDeclaration = {
  name: 'asking',
  summary: 'A repair is planned.',
  input: {},
  steps: [
    {
      name: 'plan',
      summary: 'It is planned.',
      who: 'staff',
      ask: { yes: plan },
      window: null,
    },
  ],
}
/** It fails after a step that leaves something. */
const leaving: FlowDeclaration = {
  name: 'leaving',
  summary: 'A page is written, and an account that no one has is removed.',
  input: {},
  steps: [
    { name: 'seen', summary: 'It is seen.', sleep: '1ms', leaves: 'The book has a page too many.' },
    { name: 'away', summary: 'It is removed.', call: 'RemoveAccount', request: { userUid: 'none' } },
  ],
}
const workshop = useWorkshop(world, { flows: [assembly, approval, asking, leaving] })

/** Runs a verb against the world, with a Web UI whose address is known. */
function lockerflow(...args: string[]) {
  return runVerb(args, environment())
}

function environment(): NodeJS.ProcessEnv {
  const { namespace } = world.client.options
  const { options } = world.client.connection as unknown as { readonly options: { readonly address: string } }
  return {
    TEMPORAL_ADDRESS: options.address,
    TEMPORAL_NAMESPACE: namespace,
    LOCKERFLOW_TASK_QUEUE: world.taskQueue,
    LOCKERFLOW_TEMPORAL_UI_URL: 'https://ui.example.org/',
  }
}

const stockFlags = [
  ...['--PupUid', 'pup-1', '--AllowLargerLockers', '--AllowOverflowLockers', 'false'],
  ...['--Dimension.width', '30', '--Dimension.height=15', '--dimension.length', '40'],
]

test('a start by flags waits for the booking, is repeated safely, and is shown step by step', async () => {
  const caseNo = world.newCase()
  const start = ['flow', 'start', 'stock', '--case', caseNo, ...stockFlags, '--window', 'dropOff=1h']
  const booked = await lockerflow(...start, '--wait', 'booked')
  expect(booked).toMatchObject({ code: 0, values: [{ kind: 'Booked', caseNo, shipments: [{ role: 'stock' }] }] })
  expect(booked.lines[0]).toBe(`${caseNo} booked`)
  expect(await lockerflow(...start)).toMatchObject({ code: 0, values: [{ kind: 'Started', isNew: false }] })
  expect(await lockerflow(...start.slice(0, -2), '--Details.Description', 'another')).toMatchObject({
    code: 1,
    failure: { code: 'CaseInUse' },
  })

  const { lines, values, code } = await lockerflow('flow', 'status', caseNo)
  expect([code, lines[0]]).toEqual([0, `${caseNo}  stock  waiting`])
  expect(lines.find(line => line.startsWith('▶'))).toMatch(/^▶ {2}dropOff .* until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
  expect(lines).toEqual(expect.arrayContaining(['Waits for', 'Deadline', 'Shipments', 'Web UI']))
  expect(lines.at(-1)).toBe(
    `  https://ui.example.org/namespaces/${environment().TEMPORAL_NAMESPACE}/workflows/case%3A${caseNo}`,
  )
  expect(values[0]).toMatchObject({ caseNo, picture: { steps: expect.any(Array) }, callbacks: expect.any(Array) })

  const pending = await lockerflow('flow', 'wait', caseNo, '--timeout', '100ms')
  expect(pending).toMatchObject({ code: 4, failure: { code: 'NoResponseInTime' } })
  const [shipment] = await world.shipmentsOf(caseNo)
  await world.openShipment(shipment?.shipmentUid ?? '', 'deliveryCode')
  expect(await lockerflow('flow', 'wait', caseNo)).toMatchObject({ code: 0, values: [{ kind: 'Ended' }] })
  const ended = await lockerflow('flow', 'status', caseNo)
  expect(ended.lines[0]).toBe(`${caseNo}  stock  ended as completed`)
  const callbacks = ended.lines.slice(ended.lines.indexOf('Last callbacks') + 1)
  expect(callbacks[0]).toMatch(/^ {2}\d{4}-.* UTC {2}stock {2}\w+$/)
})

test('a start from a file waits for the end, and a refusal has its code', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-'))
  const request = join(folder, 'request.yaml')
  writeFileSync(request, 'PupUid: nowhere\nAllowLargerLockers: true\nAllowOverflowLockers: false\n')
  const caseNo = world.newCase(0)
  const sides = ['width', 'height', 'length'].flatMap(side => ['--set', `request.Dimension.${side}=10`])
  const start = ['flow', 'start', 'stock', '--case', caseNo, '--request', request, ...sides, '--wait', 'end']
  const refused = await lockerflow(...start)
  expect(refused).toMatchObject({ code: 1, failure: { code: 'InvalidPupUid', requestId: expect.any(String) } })
  const { requestId } = refused.failure ?? {}
  expect(logged.filter(line => line.requestId === requestId)).toMatchObject([
    { operation: 'CreateLocalShipmentAsStock', errorCode: 'InvalidPupUid' },
  ])
  expect(await lockerflow('flow', 'watch', caseNo)).toMatchObject({
    code: 1,
    failure: { code: 'InvalidPupUid', requestId },
  })
  const { lines, values } = await lockerflow('flow', 'status', caseNo)
  expect(lines[0]).toBe(`${caseNo}  stock  failed`)
  expect(lines).toEqual(expect.arrayContaining(['Failure', `  (InvalidPupUid, request id ${requestId})`]))
  expect(lines.find(line => line.includes('booking'))).toMatch(/^✗ {2}booking .* failed$/)
  expect(values[0]).toMatchObject({ state: 'ended', failure: { code: 'InvalidPupUid' } })
})

test('a simulation reads a request in YAML, or from standard input, as a start does', async () => {
  const request = join(mkdtempSync(join(tmpdir(), 'lockerflow-')), 'request.yaml')
  const yaml =
    'PupUid: pup-1\nAllowLargerLockers: true\nAllowOverflowLockers: false\nDimension: {width: 9, height: 9, length: 9}\n'
  writeFileSync(request, yaml)
  const simulate = ['flows', 'simulate', 'stock', '--seed', '1', '--start', '2026-11-21', '--request']
  const { code, values } = await lockerflow(...simulate, request)
  expect([code, values]).toEqual([0, [expect.objectContaining({ timeLine: expect.any(Array) })]])
  const { stdout } = await runProcess({}, [...simulate, '-', '--json'], yaml)
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(values[0])))
})

test('the status has the windows of the steps that may come', async () => {
  const { caseNo } = await book(world, 'issue')
  await world.statusWhen(caseNo, ({ step }) => step === 'dropOff')
  const { lines } = await lockerflow('flow', 'status', caseNo)
  expect(lines.find(line => line.startsWith('○'))).toMatch(/^○ {2}pickUp .* 3d$/)
  expect(await world.flows.cancel(caseNo, 'not needed')).toMatchObject({ kind: 'Cancelled' })
})

test('a request comes from standard input', async () => {
  const caseNo = world.newCase()
  const words = ['flow', 'start', 'stock', '--case', caseNo, '--request', '-', '--wait', 'booked', '--json']
  const { code, stdout, stderr } = await runProcess(environment(), words, JSON.stringify(parcel))
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'Booked', caseNo })
  await world.flows.cancel(caseNo, 'over')
})

test('a start of a flow that only the worker may know names the nearest flow', async () => {
  const caseNo = world.newCase(0)
  const { notes, failure } = await lockerflow('flow', 'start', 'stok', '--case', caseNo, '--wait', 'end')
  expect(notes[0]).toContain('stok is not a built-in flow. Did you mean "stock"? Set LOCKERFLOW_FLOWS ')
  expect(failure).toMatchObject({ code: 'UnknownFlow' })
})

test('a start of a flow that the worker does not know either fails without --wait', async () => {
  const caseNo = world.newCase(0)
  const { code, values, failure } = await lockerflow('flow', 'start', 'stok', '--case', caseNo)
  expect([code, values, failure?.code]).toEqual([1, [], 'UnknownFlow'])
  expect(failure?.message).toContain('flow: must be one of ')
})

test('a start with a field that only the worker knows as wrong fails without --wait', async () => {
  const caseNo = world.newCase(0)
  const { code, values, failure } = await lockerflow('flow', 'start', 'workshop', '--case', caseNo)
  expect([code, values, failure?.code]).toEqual([1, [], 'InvalidFlowInput'])
  expect(failure?.message).toContain('request.pickUpPointUid: ')
})

test('a start of a flow that only the worker knows succeeds without --wait', async () => {
  const caseNo = world.newCase(0)
  const { code, values } = await lockerflow('flow', 'start', 'approval', '--case', caseNo)
  expect([code, values]).toEqual([0, [{ kind: 'Started', caseNo, isNew: true, runId: expect.any(String) }]])
  expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled' })
})

test('a start of a flow in a file that cannot be read names the setting and the file', async () => {
  const start = ['flow', 'start', 'keyReturn', '--case', 'C']
  const { code, failure } = await runVerb(start, { ...environment(), LOCKERFLOW_FLOWS: 'nowhere/*.yaml' })
  expect(code).toBe(2)
  expect(failure).toMatchObject({
    code: 'InvalidSettings',
    message: expect.stringContaining('LOCKERFLOW_FLOWS: nowhere/*.yaml: the declaration: must match a file.'),
  })
})

test.each<[string[], string]>([
  [['flow', 'start', 'stock'], '--case: must be given.'],
  [
    ['flow', 'start', 'stock', '--case', 'C'],
    'request: PupUid is missing; AllowLargerLockers is missing; AllowOverflowLockers is missing; Dimension is missing.',
  ],
  [
    ['flow', 'start', 'stock', '--case', 'C', '--set', 'PupUid=', ...stockFlags.slice(2)],
    'request: PupUid: must not be empty',
  ],
  [
    ['flow', 'start', 'stock', '--case', 'C', ...stockFlags, '--details.referenceCaseNo', 'D'],
    'request.Details.ReferenceCaseNo: must be the case number C, or missing, got "D".',
  ],
  [['flow', 'start', 'importAccountSuggestions', '--case', 'C'], 'request.url: must be a text, got nothing.'],
  [['flow', 'start', 'stock', '--case', 'C', '--Pup', 'x'], '--Pup: must be a field of the request.'],
  [['flow', 'start', 'stock', '--case', 'C', '--wait', 'later'], '--wait: must be booked or end, got "later".'],
  [
    ['flow', 'start', 'stock', '--case', 'C', '--window', 'a=b'],
    '--window: must be a step and a duration, such as pickUp=48h, got "a=b".',
  ],
  [
    ['flow', 'start', 'stock', '--case', 'C', '--window', 'dropOf=1h'],
    '--window: must name a step of stock with a window (booking, dropOff), got "dropOf".',
  ],
  [
    ['flow', 'start', 'collectByUser', '--case', 'C', '--window', 'kept=1h'],
    '--window: must name a step of collectByUser with a window (booking, collect, free), got "kept".',
  ],
  [
    ['flow', 'start', 'stock', '--case', 'C', '--set', 'a'],
    '--set: must be a field and its value, such as request.PupUid=pup-1, got "a".',
  ],
  [['flow', 'start', 'stock', '--case', 'C', '--request', '/nowhere'], '--request: must be a file that can be read'],
  [['flow', 'start', 'stock', '--case', 'C', '--request', 'cli'], '--request: must be a file, but "cli" is a folder.'],
  [['flow', 'decide', 'C'], '--decision: must be extend, keepWaiting, cancel, or missing with --by.'],
  [
    ['flow', 'decide', 'C', '--decision', 'stop'],
    '--decision: must be extend, keepWaiting, cancel, or missing with --by, got "stop".',
  ],
  [['flow', 'start', 'stock', '--case', ' C'], 'or blanks at its ends, and not "." or "..", got " C".'],
  [['flow', 'decide', 'C', '--decision', 'cancel', '--by', '1h'], '--by: must be given with the decision extend only.'],
  [['flow', 'decide', 'C', '--by', '1h', '--where', 'overdue'], 'case: must be a case number, or be omitted'],
  [['flow', 'decide', '--by', '1h', '--where', 'colour = red'], 'got "colour".'],
  [
    ['flow', 'decide', 'C', '--by', '1h', '--identity', ''],
    '--identity: must be a name of 1 to 200 characters, such as robin@desk, got "".',
  ],
  [['flow', 'cancel', 'C'], '--reason: must be given'],
  [['flow', 'cancel', 'C', '--reason', 'x'.repeat(501)], '--reason: must be a text of 1 to 500 characters'],
  [['flow', 'cancel'], 'case: must be a case number, or be omitted'],
  [['flow', 'decide'], 'case: must be a case number, or be omitted'],
  [['flow', 'list', '--state', 'late'], '--state: must be one of booking,'],
  [['flow', 'list', '--where', 'colour = red'], 'got "colour".'],
  [['flow', 'list', '--cursor', 'abc'], 'cursor must be that of an earlier page'],
  [['flow', 'watch', 'C', '--after', 'abc'], 'after must be the cursor of an earlier watch'],
  [['flow', 'list', '--limit', '0'], '--limit: must be a number from 1 to 1000'],
  [['flow', 'wait', 'C', '--timeout', 'soon'], '--timeout: must be a duration'],
])('%j is used wrongly', async (args, message) => {
  const { code, failure } = await lockerflow(...args)
  expect([code, failure?.message]).toEqual([2, expect.stringContaining(message)])
})

test('an overdue flow shows the decision that it needs, and is extended, watched and cancelled', async () => {
  const { caseNo } = await book(world, 'stock', { dropOff: '300ms' })
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  const { lines } = await lockerflow('flow', 'status', caseNo)
  expect(lines).toEqual(expect.arrayContaining(['  a decision:', `    lockerflow flow decide ${caseNo} --by 24h`]))
  const found = await eventually(async () => {
    const listed = await lockerflow('flow', 'list', '--overdue', '--where', `case = '${caseNo}'`)
    return listed.lines.length > 1 ? listed : undefined
  })
  expect(found.lines[0]).toMatch(/^case +flow +state +step +pick up point +started$/)
  expect(found.lines[1]).toMatch(new RegExp(`^${caseNo} +stock +overdue +dropOff +pup-1 +\\d{4}-`))

  const watching = lockerflow('flow', 'watch', caseNo)
  const waiting = startVerb(environment(), 'flow', 'wait', caseNo)
  await waiting.note(new RegExp(`^${caseNo} has not ended yet\\. `))
  expect(await lockerflow('flow', 'decide', caseNo, '--by', '1h')).toMatchObject({
    code: 0,
    values: [{ kind: 'Decided' }],
  })
  expect(await lockerflow('flow', 'decide', caseNo, '--by', '1h')).toMatchObject({
    code: 1,
    failure: { code: 'NothingToDecide' },
  })
  expect(await lockerflow('flow', 'cancel', caseNo, '--reason', 'over')).toMatchObject({
    code: 0,
    lines: ['ended as cancelled'],
  })
  expect(await waiting.ended).toMatchObject({ message: `${caseNo} ended as cancelled.` })
  const watched = await watching
  expect(watched.values.at(-1)).toMatchObject({ kind: 'Ended', result: { outcome: 'cancelled' } })
  // A cancelled flow is no success of the caller that waits for it.
  for (const verb of ['wait', 'watch']) {
    expect(await lockerflow('flow', verb, caseNo)).toMatchObject({
      code: 1,
      failure: {
        code: 'CommandFailed',
        message: `${caseNo} ended as cancelled.`,
        remedy: `Read why: lockerflow flow status ${caseNo}`,
      },
    })
  }
})

test('with --json a flow that ended otherwise has its result, and the line of an error', async () => {
  const { caseNo } = await book(world, 'stock')
  await world.flows.cancel(caseNo, 'over')
  const { code, stdout, stderr } = await runCommandLine(environment(), ['flow', 'wait', caseNo, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'Ended', result: { outcome: 'cancelled' } })
  expect({ code, ...JSON.parse(stderr) }).toEqual({
    code: 1,
    error: {
      code: 'CommandFailed',
      message: `${caseNo} ended as cancelled.`,
      remedy: `Read why: lockerflow flow status ${caseNo}`,
      exitCode: 1,
    },
  })
})

test.each<[string, string, (caseNo: string) => Promise<unknown>]>([
  ['terminated', 'flow', caseNo => world.client.workflow.getHandle(toWorkflowId(caseNo)).terminate('by mistake')],
  [
    'timed out',
    'starter',
    caseNo =>
      world.client.workflow.start('stock', {
        workflowId: toWorkflowId(caseNo),
        taskQueue: world.taskQueue,
        args: [{ caseNo, request: parcel }],
        // A busy machine must have booked by then.
        workflowExecutionTimeout: '10s',
      }),
  ],
])('the status of a flow that was %s from outside names its end and the sweep', async (how, by, end) => {
  const caseNo = by === 'flow' ? (await book(world, 'stock')).caseNo : world.newCase()
  await end(caseNo)
  expect(await lockerflow('flow', 'wait', caseNo)).toMatchObject({ code: 1, failure: { code: 'FlowTerminated' } })
  const { lines, values, code } = await lockerflow('flow', 'status', caseNo)
  expect([code, lines[0]]).toEqual([0, `${caseNo}  stock  ${how}`])
  const failure = ['Failure', '  (FlowTerminated)', `  lockerflow sweep --case ${caseNo}`]
  expect(lines).toEqual(expect.arrayContaining(failure))
  expect(lines.filter(line => ['Waits for', 'Deadline'].includes(line))).toEqual([])
  expect(lines.find(line => line.includes('dropOff'))).toMatch(/^✗ {2}dropOff .* \S+$/)
  expect(lines.join('\n')).not.toContain('until ')
  expect(values[0]).toMatchObject({ endedFromOutside: how, shipments: [{ role: 'stock' }] })
})

test('a watch ends with Ctrl-C, and goes on at a cursor', async () => {
  const { caseNo } = await book(world, 'stock')
  const controller = new AbortController()
  const watching = runVerb(['flow', 'watch', caseNo], environment(), controller.signal)
  await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  controller.abort(new Error('interrupted by SIGINT'))
  expect((await watching).failure?.message).toBe('interrupted by SIGINT')
  expect(await lockerflow('flow', 'watch', caseNo, '--timeout', '100ms')).toMatchObject({
    code: 4,
    failure: { code: 'StillPending' },
  })
  await world.flows.cancel(caseNo, 'over')
  const all = await lockerflow('flow', 'watch', caseNo)
  const { cursor } = all.values[0] as { cursor: string }
  expect((await lockerflow('flow', 'watch', caseNo, '--after', cursor)).values).toHaveLength(1)
})

test('a start that waits for its booking ends with Ctrl-C, and its flow runs on', async () => {
  const caseNo = world.newCase(0)
  const controller = new AbortController()
  const elsewhere = { ...environment(), LOCKERFLOW_TASK_QUEUE: `unpolled-${caseNo}` }
  const words = ['flow', 'start', 'stock', '--case', caseNo, ...stockFlags, '--wait', 'booked', '--timeout', '20s']
  const starting = runVerb(words, elsewhere, controller.signal)
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  await eventually(() => handle.describe().catch(() => undefined))
  controller.abort(new Error('interrupted by SIGINT'))
  expect((await starting).failure?.message).toBe('interrupted by SIGINT')
  expect((await handle.describe()).status.name).toBe('RUNNING')
  await handle.terminate()
})

test.each(['cancel %s --reason x', 'decide %s --by 1h', 'answer %s plan yes'])(
  'flow %s, which waits for a worker, ends with Ctrl-C',
  async words => {
    const caseNo = world.newCase(0)
    const workflowId = toWorkflowId(caseNo)
    const handle = await world.client.workflow.start('stock', { workflowId, taskQueue: `nobody-${caseNo}` })
    const verb = startVerb(environment(), 'flow', ...words.replace('%s', caseNo).split(' '), '--timeout', '20s')
    verb.interrupt(new Error('interrupted by SIGINT'))
    expect((await verb.ended)?.message).toBe('interrupted by SIGINT')
    await handle.terminate()
  },
)

test('an unknown case and a Temporal that is away have exit codes of their own', async () => {
  expect(await lockerflow('flow', 'status', 'nothing')).toMatchObject({ code: 1, failure: { code: 'UnknownCase' } })
  // Temporal's client tries for ten seconds.
  const away = await runVerb(['flow', 'status', 'nothing'], { ...environment(), TEMPORAL_ADDRESS: '127.0.0.1:1' })
  expect(away).toMatchObject({ code: 3, failure: { code: 'NotReachable' } })
})

test.each(['flow status nothing', 'flow list', 'sweep'])(
  'a namespace that does not exist is named by %s',
  async words => {
    const { code, failure } = await runVerb(words.split(' '), { ...environment(), TEMPORAL_NAMESPACE: 'nowhere' })
    const message = expect.stringContaining('nowhere')
    expect({ code, failure }).toMatchObject({ code: 1, failure: { code: 'TemporalDenied', message } })
  },
)

test('a flow that asks is answered by flags, as its status says', async () => {
  // The flow books again after the repair, and the verbs below may take longer than one.
  workshop.state.repair = repairForDays().repair
  const caseNo = await workshop.start(1)
  await workshop.bringIn(caseNo)
  const { lines } = await lockerflow('flow', 'status', caseNo)
  expect(lines.filter(line => line.includes('flow answer'))).toEqual([
    `    lockerflow flow answer ${caseNo} offer agree --cents …`,
    `    lockerflow flow answer ${caseNo} offer decline`,
  ])
  const answer = (...words: string[]) => lockerflow('flow', 'answer', caseNo, 'offer', ...words)
  expect(await answer('agree', '--cents', 'many')).toMatchObject({ code: 1, failure: { code: 'InvalidFlowInput' } })
  expect(await answer('agree', '--cents', '4900', '--by', 'kim')).toMatchObject({
    code: 0,
    values: [{ kind: 'Answered', fields: { cents: 4900 }, by: 'kim' }],
  })
  expect(await answer('decline')).toMatchObject({ code: 1, failure: { code: 'AlreadyAnswered' } })
  await world.flows.cancel(caseNo, 'over')
})

test('a repeated answer returns the first one, also with a text that reads as a number', async () => {
  const caseNo = await workshop.startFlow('approval', { booked: 0, request: {} })
  const words = ['flow', 'answer', caseNo, 'approval', 'approve', '--budget', '007', '--by']
  const given = { kind: 'Answered', fields: { budget: '007' }, by: 'kim' }
  expect(await lockerflow(...words, 'kim')).toMatchObject({ code: 0, values: [given] })
  expect(await lockerflow(...words, 'lee')).toMatchObject({ code: 0, values: [given] })
  expect(await lockerflow(...words.with(6, '2'), 'lee')).toMatchObject({
    code: 1,
    failure: { code: 'AlreadyAnswered' },
  })
  expect((await lockerflow('flow', 'status', caseNo)).code).toBe(0)
  await world.flows.cancel(caseNo, 'over')
})

test('fields of an answer with the names of options are set, as the status says', async () => {
  const { options = [] } = flowVerbs.find(({ name }) => name === 'flow answer') ?? {}
  const names = [...options, ...commonOptions].map(({ flags }) => flags.replace(/^--| .*/g, ''))
  expect([...names, 'help', 'cents'].toSorted()).toEqual(Object.keys(plan).toSorted())
  const caseNo = await workshop.startFlow('asking', { booked: 0, request: {} })
  await world.statusWhen(caseNo, ({ step }) => step === 'plan')
  const { lines } = await lockerflow('flow', 'status', caseNo)
  expect(lines.filter(line => line.includes('flow answer'))).toEqual([
    `    lockerflow flow answer ${caseNo} plan yes --set by=… --set timeout=… --set json=… --set set=… --set help=… --cents …`,
  ])
  const answer = (...words: string[]) => lockerflow('flow', 'answer', caseNo, 'plan', 'yes', ...words)
  expect(await answer('--set', 'by')).toMatchObject({
    code: 2,
    failure: { message: '--set: must be a field and its value, such as cents=4900, got "by".' },
  })
  const set = ['by=7', 'timeout=30', 'json=true', 'set=a=b', 'help=y'].flatMap(field => ['--set', field])
  const fields = { by: '7', timeout: 30, json: true, set: 'a=b', help: 'y', cents: 4900 }
  expect(await answer(...set, '--cents', '4900', '--by', 'kim', '--timeout', '30s')).toMatchObject({
    code: 0,
    values: [{ kind: 'Answered', fields, by: 'kim' }],
  })
})

test('a start that waits for the booking of a flow that books nothing ends with it, and names no booking', async () => {
  const caseNo = world.newCase(0)
  const booked = lockerflow('flow', 'start', 'approval', '--case', caseNo, '--wait', 'booked')
  await world.statusWhen(caseNo, ({ step }) => step === 'approval')
  await workshop.give(caseNo, { step: 'approval', answer: 'approve', fields: { budget: '1' } })
  await workshop.give(caseNo, { step: 'seen', answer: 'yes' })
  expect(await booked).toMatchObject({
    code: 0,
    lines: [`${caseNo} has no booking`],
    values: [{ kind: 'Booked', shipments: [] }],
  })
})

test('the end and the status of a failed flow have what it has left for a person', async () => {
  const caseNo = await workshop.startFlow('leaving', { booked: 0, request: {} })
  const message = expect.stringMatching(/\n {2}left over: seen: The book has a page too many\.$/)
  const failure = { code: 'InvalidUserUid', message }
  expect(await lockerflow('flow', 'wait', caseNo)).toMatchObject({ code: 1, failure })
  expect(await lockerflow('flow', 'watch', caseNo)).toMatchObject({ code: 1, failure })
  const { lines, values } = await lockerflow('flow', 'status', caseNo)
  const rest = { step: 'seen', shipmentUid: null, reason: 'The book has a page too many.' }
  expect(values[0]).toMatchObject({ failure: { code: 'InvalidUserUid', leftOver: [rest] } })
  expect(lines.slice(lines.indexOf('Left over'))[1]).toBe('  seen: The book has a page too many.')
})

test('a step whose attempts fail is shown with the last failure, until one succeeds', async () => {
  const { repair } = workshop.state
  workshop.state.repair = async () => {
    throw new Error('The bench burns.')
  }
  const caseNo = await workshop.start(1)
  await workshop.bringIn(caseNo)
  await workshop.give(caseNo, { step: 'offer', answer: 'agree', fields: { cents: 1 } })
  const failing = await eventually(async () => {
    const { lines, values } = await lockerflow('flow', 'status', caseNo)
    return lines.some(line => line.includes('failed')) ? { lines, values } : undefined
  })
  expect(failing.lines.slice(failing.lines.indexOf('Waits for'))[2]).toMatch(
    /^ {2}a successful attempt of repair: \d+ failed, the last with: The bench burns\.$/,
  )
  expect(failing.values[0]).toMatchObject({
    failing: [{ activity: 'repair', attempts: expect.any(Number), message: 'The bench burns.' }],
  })
  workshop.state.repair = repair
  await world.statusWhen(caseNo, ({ step }) => step !== 'repair')
  expect((await lockerflow('flow', 'status', caseNo)).values[0]).toMatchObject({ failing: [] })
  await world.flows.cancel(caseNo, 'over')
})

test('a step on a task queue without a worker is shown with its queue, and one with a worker is not', async () => {
  const line = '  a worker: no worker polls the task queue no-worker-polls-it for the activity assemble'
  const caseNo = await workshop.startFlow('assembly', { booked: 0, request: {} })
  await world.statusWhen(caseNo, ({ step }) => step === 'assemble')
  const { lines, values } = await lockerflow('flow', 'status', caseNo)
  expect(lines.slice(lines.indexOf('Waits for') + 1)).toContain(line)
  expect(values[0]).toMatchObject({ unpolled: [{ activity: 'assemble', taskQueue: 'no-worker-polls-it' }] })
  await world.flows.cancel(caseNo, 'over')
  expect((await lockerflow('flow', 'status', caseNo)).values[0]).toMatchObject({ unpolled: [] })

  const { repair, begun } = repairForDays()
  workshop.state.repair = repair
  const repaired = await workshop.start(1)
  await workshop.bringIn(repaired)
  await workshop.give(repaired, { step: 'offer', answer: 'agree', fields: { cents: 1 } })
  await begun
  expect((await lockerflow('flow', 'status', repaired)).values[0]).toMatchObject({ step: 'repair', unpolled: [] })
  await world.flows.cancel(repaired, 'over')
})
