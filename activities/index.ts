// What flows do to the world. The worker makes them over one API client; flows know their types only.
import type { Api } from '#api'
import { book, findBooked } from './book.ts'
import { cancelShipments } from './cancelShipments.ts'
import type { FlowActivities } from './interface.ts'
import { look } from './look.ts'
import { type PlanSettings, planOf } from './plan/index.ts'

export type { FlowActivities } from './interface.ts'
export type { PlanSettings } from './plan/index.ts'

/** The activities over one API client. */
export function createActivities(api: Api, settings: PlanSettings): FlowActivities {
  return {
    plan: async order => planOf(settings, order),
    book: order => book(api, order),
    findBooked: order => findBooked(api, order),
    look: order => look(api, order),
    cancelShipments: order => cancelShipments(api, order),
  }
}
