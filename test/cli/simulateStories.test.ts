import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { isStaging } from '#testing/story/arrivals'
import { pass, startWire, type Wire } from '../../testing/stack/wire.ts'
import { type RunningVerb, runVerb, startVerb } from '../support/command/verbs.ts'
import { eventually } from '../support/eventually.ts'
import { startTestService } from '../support/service/testService.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()
let toService: Wire
let environment: NodeJS.ProcessEnv
let stories: RunningVerb

beforeAll(async () => {
  const { address: temporal, namespace } = inject('temporal')
  toService = await startWire(() => world.service.address)
  environment = {
    TEMPORAL_ADDRESS: temporal,
    TEMPORAL_NAMESPACE: namespace,
    LOCKERFLOW_TASK_QUEUE: world.taskQueue,
    LOCKERFLOW_BASE_URL: toService.address,
    LOCKERFLOW_AUTH_URL: toService.address,
  }
  stories = startVerb(environment, 'simulate', 'stories', '--interval', '50ms')
  await stories.note(/^The stories of http:\S+ play\. Ctrl-C ends them\.$/)
})

afterAll(async () => {
  stories.interrupt()
  expect(await stories.ended).toBeUndefined()
  await toService.stop()
})

/** Starts an issue to a user, whose window for the pick up is over at once. */
async function issue(beginning: string): Promise<string> {
  const caseNo = `${beginning}${randomUUID()}`
  world.cases.set(caseNo, 1)
  const request = { ...parcel, ToUserUid: world.userUid }
  const started = await world.flows.start('issue', { caseNo, request, windows: { pickUp: '300ms' } })
  expect(started).toMatchObject({ kind: 'Started' })
  return caseNo
}

function openingsOf(caseNo: string) {
  return (stories.values as { caseNo: string; action: string; refused: string | null }[]).filter(
    opening => opening.caseNo === caseNo,
  )
}

const dropOff = { action: 'dropOff', refused: null }
const pickUp = { action: 'pickUp', refused: null }

test.each([
  ['on-time-', []],
  ['wrong-code-', [{ action: 'pickUp', refused: 'InvalidAccessCode' }]],
  ['late-', []],
])('a case %s… plays itself, and each opening is printed', async (beginning, refusals) => {
  const caseNo = await issue(beginning)
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  await expect.poll(() => openingsOf(caseNo)).toMatchObject([dropOff, ...refusals, pickUp])
  const lines = stories.lines.filter(line => line.includes(caseNo))
  expect(lines[0]).toMatch(/^\d{4}-\S+Z {2}(on-time|wrong-code|late)-\S+ {2}dropOff {2}locker \w+ of pup-1, \S+$/)
  expect(lines).toHaveLength(2 + refusals.length)
})

test('a case never-… gets its item, and no user', async () => {
  const caseNo = await issue('never-')
  const other = await issue('on-time-')
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  // The player has looked at both.
  await world.flows.result(other)
  expect(openingsOf(caseNo)).toMatchObject([dropOff])
  await world.flows.cancel(caseNo, 'over')
})

test('a service that is away is tried again', async () => {
  toService.rule = () => ({ kind: 'status', status: 503 })
  const away = /^The service is unavailable \(.+\)\. Trying again\.$/
  await eventually(() => away.test(stories.notes.at(-1) ?? ''))
  toService.rule = () => pass
  await eventually(() => stories.notes.at(-1) === 'The service is available again.')
  // A poll of a busy machine may have failed before.
  const notes = stories.notes.slice(1)
  expect(notes.map(note => note.replace(away, 'away'))).toEqual(
    notes.map((_, at) => ['away', 'The service is available again.'][at % 2]),
  )
})

test('a service in production and an unknown dispatcher are refused', async () => {
  const service = await startTestService({ environment: 'production', allowPrivateNetworks: false })
  onTestFinished(() => service.stop())
  const production = { ...environment, LOCKERFLOW_BASE_URL: service.address, LOCKERFLOW_AUTH_URL: service.address }
  await expect(runVerb(production, 'simulate', 'stories')).rejects.toMatchObject({
    exitCode: 2,
    message: `LOCKERFLOW_BASE_URL: must be a service in staging, but ${service.address} has no simulated lockers.`,
  })
  await expect(runVerb(environment, 'simulate', 'stories', '--dispatcher', 'robin')).rejects.toMatchObject({
    exitCode: 2,
    message: '--dispatcher: must be the user name of the tenant\'s dispatcher, got "robin".',
  })
  expect(await isStaging(world.api)).toBe(true)
})
