import { beforeAll, describe, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { type Command, languages } from '../support/examples/languages.ts'
import { run } from '../support/examples/running.ts'
import { requestOf } from '../support/flows/booking.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

/** Milliseconds that the first installation or build may take. */
const installTimeout = 900_000

for (const { name, lacks } of languages) if (lacks !== undefined) console.warn(`examples/${name} is skipped: ${lacks}`)

describe.each(languages)('the example in $name', ({ lacks, prepare }) => {
  let command: Command
  beforeAll(async () => {
    if (lacks === undefined) command = await prepare()
  }, installTimeout)

  const example = test.skipIf(lacks !== undefined)

  example('starts, waits for the booking, extends the window that has passed, and prints the result', async () => {
    const caseNo = world.newCase()
    const input = { caseNo, request: requestOf(world, 'issue'), windows: { pickUp: '300ms' } }
    const { lines, line, ended } = run(command, world, ['issue', 'extend', '1h'], input)
    await line('booked:')
    const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
    const [shipment] = shipments
    if (shipment === undefined) throw new Error('nothing is booked')
    const { priority } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).describe()
    expect(priority).toMatchObject({ priorityKey: 2, fairnessKey: 'pup-1' })
    await world.open(shipment, 'deliveryCode')
    await line('decided:')
    expect(await world.flows.status(caseNo)).toMatchObject({ status: { state: 'waiting', stage: 'pickUp' } })
    await world.open(shipment, 'pickUpCode')
    expect(await ended).toEqual({ code: 0, said: '' })
    expect(lines.slice(0, -1)).toEqual([
      `booked: issue in locker ${shipment.lockerName} at pup-1`,
      'status: overdue in pickUp',
      'decided: extend',
    ])
    expect({ kind: 'Ended', result: resultIn(lines) }).toEqual(await world.flows.result(caseNo))
    expect(resultIn(lines)).toMatchObject({ outcome: 'completed', shipments: [{ stateCode: 'Completed' }] })
  })

  example('finds the flow that was started with a request that means the same', async () => {
    const caseNo = world.newCase()
    const details = { Notes: 'Smith & Sons <"Zoë" \\ ☂ 𝄞>', Reference1: '' }
    const request = { ...parcel, Details: details }
    expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request })).toMatchObject({ kind: 'Booked' })
    const same = JSON.stringify({ ...request, LockerUid: null, dETAILS: details, Details: undefined })
    const { lines, line, ended } = run(
      command,
      world,
      ['stock', 'cancel'],
      `{"caseNo": "${caseNo}", "request": ${same.replace('"width":30', '"width":30.0')}}`,
    )
    await line('booked: stock')
    await world.flows.cancel(caseNo, 'over')
    expect(await ended).toEqual({ code: 0, said: '' })
    expect(resultIn(lines)).toMatchObject({ outcome: 'cancelled' })
  })

  example.each([
    ['an invalid window', 'stock', { windows: { dropOff: 'soon' } }, 'InvalidFlowInput: windows.dropOff: must be'],
    ['what the service refuses', 'stock', { request: { ...parcel, PupUid: 'nowhere' } }, 'InvalidPupUid: '],
  ])('says in one line that %s is wrong', async (_, flow, change, line) => {
    const input = { caseNo: world.newCase(0), request: parcel, ...change }
    const { lines, ended } = run(command, world, [flow, 'extend', '1h'], input)
    expect(await ended).toEqual({ code: 1, said: oneLine(line) })
    expect(lines).toEqual([])
  })

  example('says in one line that the case is in use', async () => {
    const caseNo = world.newCase()
    await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    const { lines, ended } = run(command, world, ['stock', 'cancel'], {
      caseNo,
      request: { ...parcel, AllowLargerLockers: false },
    })
    expect(await ended).toEqual({ code: 1, said: oneLine('CaseInUse: The case number is in use by ') })
    expect(lines).toEqual([])
    await world.flows.cancel(caseNo, 'over')
  })
})

function resultIn(lines: readonly string[]): unknown {
  return JSON.parse(lines.at(-1)?.replace('result: ', '') ?? 'null')
}

/** One line that begins like this. */
function oneLine(start: string): unknown {
  return expect.stringMatching(new RegExp(`^${start}.*\n$`))
}
