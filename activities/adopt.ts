import type { Api } from '#api'
import { readStateCode, states } from '#contract/terms'
import { finalFailure } from './failures.ts'
import type { BookedSet, BookedShipment, BookOrder } from './interface.ts'
import { bookedSets } from './sets.ts'

/** What is to be taken over can be of any age. */
const beginning = '2000-01-01T00:00:00.000Z'

/** Finds the booking that a flow is to take over; makes none. Fails with NothingToAdopt unless there is just one. */
export async function adopt(api: Api, order: BookOrder): Promise<BookedSet[]> {
  const sets = (await bookedSets(api, { ...order, since: beginning })).filter(set => set.some(isActive))
  if (sets.length === 1) return sets
  throw finalFailure(
    'NothingToAdopt',
    sets.length === 0
      ? 'No active booking of this flow has the case number.'
      : 'Several bookings have the case number.',
  )
}

function isActive({ stateCode }: BookedShipment): boolean {
  const state = readStateCode(stateCode)
  return state !== undefined && !states[state].final
}
