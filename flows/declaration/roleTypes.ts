import type { bookings } from '../bookings.ts'

/** The roles of the shipments that a flow books, by their names in the flow. */
export type RolesOf<Flow> = Flow extends { steps: readonly (infer Step)[] }
  ? Step extends { book: infer Operation extends keyof typeof bookings }
    ? Renamed<keyof (typeof bookings)[Operation] & string, Step>
    : never
  : never

type Renamed<Role extends string, Step> = Step extends { as: infer Names }
  ? Role extends keyof Names
    ? Names[Role] & string
    : Role
  : Role
