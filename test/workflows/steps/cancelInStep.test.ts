import { ApplicationFailure } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import { cancel, shipmentStatus, waitForBooking } from '#flows/messages'
import { pass } from '../../../testing/stack/wire.ts'
import { eventually, gate } from '../../support/eventually.ts'
import { eventsOf } from '../../support/flows/history.ts'
import { growOld } from '../../support/flows/longHistories.ts'
import { codeOf, useWorkshop } from '../../support/flows/useWorkshop.ts'
import { repairForDays } from '../../support/flows/workshop.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const { voided, printed, state, start, bringIn, handleOf, give } = useWorkshop(world)

/** Bytes of a history at which the server suggests continue-as-new. */
const longSize = 4 * 1_024 * 1_024

/** Work that is under way until the test ends it. */
interface Work {
  readonly begun: Promise<unknown>
  end(): void
}

function labelForHours(): Work {
  const [begun, ended] = [gate(), gate()]
  state.label = async () => {
    begun.open()
    await ended.opened
    return { labelNo: 'L-1' }
  }
  return { begun: begun.opened, end: ended.open }
}

function repairForHours(): Work {
  const { repair, begun } = repairForDays()
  state.repair = repair
  return { begun, end: () => undefined }
}

/** Requests of the path arrive, and their responses are late. */
function respondLate(path: string): Work {
  const [begun, ended] = [gate(), gate()]
  world.toService.rule = passing => {
    if (!passing.path.includes(path)) return pass
    begun.open()
    return { kind: 'answerLater', until: ended.opened }
  }
  return { begun: begun.opened, end: ended.open }
}

const toInside = { step: 'intakeBooking', reason: 'there is an item in the locker' }
const toRepaired = { step: 'repair', shipmentUid: null, reason: 'The device is repaired and not paid.' }

interface Row {
  readonly step: string
  /** Bookings by the time of the cancellation. */
  readonly booked: number
  readonly windows?: Readonly<Record<string, string>>
  readonly work?: () => Work
  readonly leftOver: readonly object[]
}

const rows: Row[] = [
  { step: 'label', booked: 0, work: labelForHours, leftOver: [] },
  { step: 'intakeBooking', booked: 1, work: () => respondLate('/CreateLocal'), leftOver: [] },
  { step: 'bringIn', booked: 1, leftOver: [] },
  { step: 'offer', booked: 1, leftOver: [toInside] },
  { step: 'repair', booked: 1, work: repairForHours, leftOver: [toRepaired, toInside] },
  { step: 'account', booked: 1, work: () => respondLate('/SetAccountPickUpPoint'), leftOver: [toRepaired, toInside] },
  { step: 'pause', booked: 1, windows: { pause: '1h' }, leftOver: [toRepaired, toInside] },
  { step: 'backBooking', booked: 2, work: () => respondLate('/CreateLocal'), leftOver: [toRepaired, toInside] },
  { step: 'putBack', booked: 2, leftOver: [toRepaired, toInside] },
]

const names = rows.map(({ step }) => step)

/** True once the flow has received the cancellation. */
async function isCancelling(caseNo: string): Promise<boolean> {
  const accepted = (await eventsOf(world, caseNo)).map(event => event.workflowExecutionUpdateAcceptedEventAttributes)
  return accepted.some(update => update?.acceptedRequest?.input?.name === 'cancel')
}

describe('a flow with every kind of step, cancelled in', () => {
  test.each(rows)('$step, leaves nothing behind that can be undone', async row => {
    const isLater = names.indexOf(row.step) > names.indexOf('bringIn')
    const early = isLater ? undefined : row.work?.()
    const caseNo = await start(row.booked, row.windows)
    if (isLater) await bringIn(caseNo)
    // After the first booking, which may take several attempts.
    const work = isLater ? row.work?.() : early
    if (isLater) {
      if (row.step !== 'offer') await give(caseNo, { step: 'offer', answer: 'agree', fields: { cents: 1 } })
    }
    await work?.begun
    await world.statusWhen(caseNo, ({ step }) => step === row.step)
    const handle = handleOf(caseNo)
    const cancelled = handle.executeUpdate(cancel, { args: [{ reason: 'test' }] })
    await eventually(() => isCancelling(caseNo))
    work?.end()
    expect(await cancelled).toMatchObject({ outcome: 'cancelled', leftOver: row.leftOver })
    const { leftOver } = (await cancelled) as { leftOver: unknown[] }
    expect(leftOver).toHaveLength(row.leftOver.length)
    expect(await handle.result()).toMatchObject({ outcome: 'cancelled', leftOver })
    expect(printed).toHaveLength(1)
    expect(voided).toMatchObject([{ certain: true, output: { labelNo: 'L-1' } }])
    const active = (await world.shipmentsOf(caseNo)).filter(({ stateCode }) => stateCode !== 'Cancelled')
    expect(active.map(({ stateCode }) => stateCode)).toEqual(row.leftOver.includes(toInside) ? ['ReadyForPickup'] : [])
  })
})

test('a step that fails after a cancellation leaves the flow cancelled, even while a poll holds it up', async () => {
  const [begun, ended, polled, read] = [gate(), gate(), gate(), gate()]
  state.repair = async () => {
    begun.open()
    await ended.opened
    throw ApplicationFailure.nonRetryable('The device cannot be repaired.', 'BeyondRepair')
  }
  const caseNo = await start(1)
  const { shipmentUid, stateCode } = await bringIn(caseNo)
  await give(caseNo, { step: 'offer', answer: 'agree', fields: { cents: 1 } })
  await begun.opened
  world.toService.rule = ({ path }) => {
    if (!path.endsWith('/GetShipments')) return pass
    polled.open()
    return { kind: 'arriveLater', until: read.opened }
  }
  const handle = handleOf(caseNo)
  await handle.signal(shipmentStatus, { shipmentUid, stateCode, stateStart: '', lockerOutOfService: true })
  await polled.opened
  const cancelled = handle.executeUpdate(cancel, { args: [{ reason: 'test' }] })
  await eventually(() => isCancelling(caseNo))
  ended.open()
  await eventually(async () => {
    const events = await eventsOf(world, caseNo)
    const failed = events.findIndex(event => event.activityTaskFailedEventAttributes)
    return failed >= 0 && events.findLastIndex(event => event.workflowTaskCompletedEventAttributes) > failed
  })
  world.toService.rule = () => pass
  read.open()
  expect(await cancelled).toMatchObject({ outcome: 'cancelled' })
  expect(await handle.result()).toMatchObject({ outcome: 'cancelled' })
})

test('callers of a booking that came after its cancellation are rejected in the next run too', async () => {
  const booking = respondLate('/CreateLocal')
  const [begun, ended] = [gate(), gate()]
  state.undoLabel = async () => {
    begun.open()
    await ended.opened
  }
  const caseNo = await start(1)
  await booking.begun
  const handle = handleOf(caseNo)
  const grown = growOld(world, caseNo)
  await eventually(async () => ((await handle.describe()).historySize ?? 0) > longSize)
  await handle.cancel()
  booking.end()
  await grown
  await begun.opened
  expect(await codeOf(handle.executeUpdate(waitForBooking.name))).toBe('BookingCancelled')
  ended.open()
  expect(await handle.result()).toMatchObject({ outcome: 'cancelled', leftOver: [] })
})
