import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { bookingFlows, flows } from '#flows'
import type { Command } from '../../support/examples/languages.ts'
import { generatedClients } from '../../support/flowApi/clients.ts'
import { useFlowApi } from '../../support/flowApi/useFlowApi.ts'
import { approval } from '../../support/flows/approval.ts'
import { journeys } from '../../support/flows/journeys.ts'
import { file, useFileServer } from '../../support/servers/fileServer.ts'
import { csv } from '../../support/service/uploads.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const flowApi = useFlowApi(world, { flows: [approval] })
const files = useFileServer()

beforeAll(() => world.restartWorker({ flows: [approval] }))

/** Milliseconds that the first generation and build may take. */
const installTimeout = 900_000

for (const { name, lacks } of generatedClients) if (lacks !== undefined) console.warn(`${name} is skipped: ${lacks}`)

type BookingFlow = keyof typeof bookingFlows

interface Start {
  readonly flow: string
  readonly wait?: 'booked' | 'end'
  readonly input: { readonly caseNo: string; readonly request: object; readonly windows?: Record<string, string> }
  /** The fields of an operation, by its name. */
  readonly calls?: Readonly<Record<string, object>>
  /** The code of an expected refusal, which the programs do not read. */
  readonly refused?: string
}

/** A start of each flow. Those of accounts end by themselves. */
async function startsOfAllFlows(): Promise<Start[]> {
  const booking = await Promise.all(
    (Object.keys(bookingFlows) as BookingFlow[]).map(async flow => ({
      flow,
      wait: 'booked' as const,
      input: { caseNo: world.newCase(), request: await journeys[flow].prepare(world) },
    })),
  )
  const person = { emailAddress: `${world.newCase(0)}@example.org`, firstName: 'Kim', lastName: 'Reader' }
  // The service deletes nothing of it: no case of the invariants.
  world.cases.clear()
  const accounts = [
    {
      flow: 'onboardAccount',
      wait: 'end' as const,
      input: { caseNo: world.newCase(0), request: { ...person, pickUpPointUid: 'pup-1' } },
    },
    {
      flow: 'importAccountSuggestions',
      wait: 'end' as const,
      input: { caseNo: world.newCase(0), request: { url: `${files.url}/people.csv` } },
    },
  ]
  return [...booking, ...accounts]
}

/** No workflow starts, so the world does not know the case. */
function refusedStart(): Start {
  const input = { caseNo: randomUUID(), request: {} }
  return { flow: 'importAccountSuggestions', wait: 'end', input, refused: 'InvalidFlowInput' }
}

/** A start for each operation that a flow accepts at some of its steps only. */
function startsOfOperations(): Start[] {
  const input = (request: object, booked = 1) => ({ caseNo: world.newCase(booked), request })
  return [
    {
      flow: 'stock',
      wait: 'booked',
      input: { ...input(parcel), windows: { dropOff: '200ms' } },
      calls: { decide: { decision: 'extend', by: '1h' } },
    },
    {
      flow: 'localShipment',
      wait: 'booked',
      input: input({ ...parcel, FromUserUid: world.userUid, IsReceiverDelayed: true }),
      calls: { assignReceiver: { toUserUid: world.userUid } },
    },
    {
      flow: 'collectByDispatcher',
      wait: 'booked',
      input: input({ ...parcel, KeepBookedAfterPickUp: true }),
      calls: { release: {} },
    },
    { flow: 'approval', input: input({}, 0), calls: { answer: { step: 'check', answer: 'approve', by: 'Ann' } } },
  ]
}

const results = { decide: 'Decided', assignReceiver: 'Assigned', release: 'Released', answer: 'Answered' }

describe.each(generatedClients)('a client generated in $name', ({ lacks, prepare }) => {
  let command: Command
  beforeAll(async () => {
    if (lacks === undefined) command = await prepare()
  }, installTimeout)

  test.skipIf(lacks !== undefined)(
    'calls every operation: starts every flow, reads it, is refused, decides, assigns, releases, answers and cancels',
    async () => {
      const all = await startsOfAllFlows()
      expect(all.map(({ flow }) => flow).sort()).toEqual(Object.keys(flows).sort())
      const starts = [...all, refusedStart(), ...startsOfOperations()]
      const suggested = `${randomUUID()}@example.org`
      files.serve = file(csv([{ EmailAddress: suggested, FirstName: 'Kim' }]))
      const child = spawn(command.file, [...command.words, flowApi.address], {
        env: {
          PATH: process.env.PATH,
          ...command.variables,
          FLOW_API_TOKEN: await flowApi.issuer.token({ claims: { roles: 'clerk' } }),
        },
      })
      child.stdin.end(JSON.stringify(starts))
      const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
      expect(errors).toBe('')
      const expected = starts.flatMap(({ flow, wait, calls, refused }) => {
        if (refused !== undefined) return [`${flow}: refused ${refused}`]
        if (wait === 'end') return [`${flow}: ended completed`]
        const started = wait === undefined ? `${flow}: started` : expect.stringMatching(`^${flow}: booked [123]$`)
        const common = [started, `${flow}: status of ${flow}`, `${flow}: NothingToDecide`]
        const called = Object.keys(calls ?? {}).map(name => `${flow}: ${results[name as keyof typeof results]}`)
        const isOver = calls !== undefined && ('release' in calls || 'answer' in calls)
        return [...common, ...called, ...(isOver ? [] : [`${flow}: cancelled`, `${flow}: 1 end`])]
      })
      expect(printed.trimEnd().split('\n')).toEqual([...expected, 'listed', 'ready'])
      // The flow has uploaded the file to the service.
      const { items } = await world.api.call('GetAccountSuggestions', {})
      expect(items.map(({ emailAddress }) => emailAddress)).toEqual([suggested])
    },
  )
})
