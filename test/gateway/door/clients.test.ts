import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { bookingFlows, flows } from '#flows'
import { generatedClients } from '../../support/door/clients.ts'
import { useDoor } from '../../support/door/useDoor.ts'
import type { Command } from '../../support/examples/languages.ts'
import { journeys } from '../../support/flows/journeys.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const door = useDoor(world)

/** Milliseconds that the first generation and build may take. */
const installTimeout = 900_000

for (const { name, lacks } of generatedClients) if (lacks !== undefined) console.warn(`${name} is skipped: ${lacks}`)

type BookingFlow = keyof typeof bookingFlows

/** A start of each flow. Those of accounts end by themselves, and one of them is refused. */
async function startsOfAllFlows() {
  const booking = await Promise.all(
    (Object.keys(bookingFlows) as BookingFlow[]).map(async flow => ({
      flow,
      wait: 'booked',
      input: { caseNo: world.newCase(), request: await journeys[flow].prepare(world) },
    })),
  )
  const person = { emailAddress: `${world.newCase(0)}@example.org`, firstName: 'Kim', lastName: 'Reader' }
  // The service deletes nothing of it: no case of the invariants.
  world.cases.clear()
  const accounts = [
    {
      flow: 'onboardAccount',
      wait: 'end',
      input: { caseNo: world.newCase(0), request: { ...person, pickUpPointUid: 'pup-1' } },
    },
    { flow: 'importAccountSuggestions', wait: 'end', input: { caseNo: world.newCase(0), request: {} } },
  ]
  return [...booking, ...accounts]
}

describe.each(generatedClients)('a client generated in $name', ({ lacks, prepare }) => {
  let command: Command
  beforeAll(async () => {
    if (lacks === undefined) command = await prepare()
  }, installTimeout)

  test.skipIf(lacks !== undefined)(
    'starts every flow, reads it, is refused, cancels it and lists it',
    async () => {
      const starts = await startsOfAllFlows()
      expect(starts.map(({ flow }) => flow).sort()).toEqual(Object.keys(flows).sort())
      const child = spawn(command.file, [...command.words, door.address], {
        env: { PATH: process.env.PATH, ...command.variables, DOOR_TOKEN: await door.issuer.token() },
      })
      child.stdin.end(JSON.stringify(starts))
      const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
      expect(errors).toBe('')
      const expected = starts.flatMap(({ flow, wait }) => {
        if (flow === 'importAccountSuggestions') return [`${flow}: refused InvalidFlowInput`]
        if (wait === 'end') return [`${flow}: ended completed`]
        const booked = expect.stringMatching(`^${flow}: booked [123]$`)
        return [booked, `${flow}: status of ${flow}`, `${flow}: NothingToDecide`, `${flow}: cancelled`]
      })
      expect(printed.trimEnd().split('\n')).toEqual([...expected, 'listed'])
    },
    120_000,
  )
})
