import type { bookings } from '../bookings.ts'
import type { LoopStepsOf, StepsOf } from './stepTypes.ts'

/**
 * The roles of the shipments that a flow books, by their names in the flow. Those of an item have its key, and those of a
 * round that is over its number: `issue[A-1]`, `issue#1`.
 */
export type RolesOf<Flow> = RolesIn<StepsOf<Flow>> | `${RolesIn<LoopStepsOf<Flow>>}${'[' | '#'}${string}`

type RolesIn<Step> = Step extends { book: infer Operation extends keyof typeof bookings }
  ? Renamed<keyof (typeof bookings)[Operation] & string, Step>
  : never

type Renamed<Role extends string, Step> = Step extends { as: infer Names }
  ? Role extends keyof Names
    ? Names[Role] & string
    : Role
  : Role
