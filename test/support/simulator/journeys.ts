import type { BookingFlowName } from '#flows'
import type { SimulatedStart, Simulation, StoryEvent } from '#testing/simulator'
import { journeys } from '../flows/journeys.ts'
import { parcel } from '../world/apiWorld.ts'

type Prepared = Pick<SimulatedStart, 'request' | 'before'>

export const toUser = { ToUserUid: { $user: 1 } }
export const fromUser = { FromUserUid: { $user: 1 } }
export const onStock: Prepared = {
  before: { item: 'inStock' },
  request: { PriorShipmentUid: { $item: 'item' }, ...toUser },
}

/** The requests of `journeys`, with placeholders. */
const prepared: Readonly<Record<BookingFlowName, Prepared>> = {
  issue: { request: { ...parcel, ...toUser } },
  issueAndSwapIntake: { request: { ...parcel, ...toUser } },
  stock: { request: parcel },
  stockAfterSwapIntake: {
    before: { item: 'returned' },
    request: { PriorShipmentUid: { $item: 'item' }, Dimension: parcel.Dimension },
  },
  issueFromStock: onStock,
  issueFromStockAndSwapIntake: onStock,
  intake: { request: { ...parcel, ...fromUser } },
  intakeAndCircularStock: { request: { ...parcel, ...fromUser } },
  issueFromStockAndSubsequentIntakeAndCircularStock: onStock,
  collectByDispatcher: { request: { ...parcel, KeepBookedAfterPickUp: false } },
  collectByUser: { request: { ...parcel, ...toUser, KeepBookedAfterPickUp: false } },
  localShipment: { request: { ...parcel, ...toUser } },
}

/** The start of a flow that comes to a step. The step `ready` waits only while the item is not in stock. */
export function startOf(flow: BookingFlowName, step?: string): SimulatedStart {
  const { request, before } = prepared[flow]
  const windows = {}
  if (step === 'ready') return { flow, request, windows, before: { item: 'announced' } }
  return { flow, request, windows, ...(before && { before }) }
}

/** The events that bring a flow to a step, or to its end. */
export function eventsUntil(flow: BookingFlowName, until?: string): StoryEvent[] {
  const all = Object.entries(journeys[flow].openings)
  const end = all.findIndex(([step]) => step === until)
  return all.slice(0, end < 0 ? all.length : end).flatMap(([, opening]): StoryEvent[] => {
    if (opening === null) return []
    return [opening.code === 'deliveryCode' ? { dropOff: opening.role } : { pickUp: opening.role }]
  })
}

export async function tell(simulation: Simulation, events: readonly StoryEvent[]): Promise<void> {
  for (const event of events) await simulation.apply(event)
}
