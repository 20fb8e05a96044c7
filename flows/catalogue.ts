import * as accounts from './accounts/index.ts'
import * as booking from './booking/index.ts'
import { findRoles, type Role, type Roles } from './bookings.ts'
import type { FlowDeclaration } from './declaration.ts'
import { allSteps } from './kinds/index.ts'

/** The built-in flows whose first step books. */
export { booking as bookingFlows }

export type BookingFlowName = keyof typeof booking

/**
 * Every built-in flow, by its name.
 *
 * ```ts
 * for (const { name, summary } of Object.values(flows)) console.log(name, summary)
 * ```
 */
export const flows = { ...booking, ...accounts } as const

/** The name of a built-in flow. */
export type FlowName = keyof typeof flows

const declared: Readonly<Record<string, FlowDeclaration>> = flows

/** The declaration of a built-in flow; undefined for another name. */
export function findDeclaration(flow: string): FlowDeclaration | undefined {
  return Object.hasOwn(declared, flow) ? declared[flow] : undefined
}

/** The roles of all bookings of a flow, with its names for them; none for an unknown flow. */
export function rolesOf(flow: FlowDeclaration | undefined): Roles {
  const steps = allSteps(flow?.steps ?? []).filter(step => 'book' in step)
  return Object.fromEntries(
    steps.flatMap(({ book, as = {} }) =>
      Object.entries<Role>(findRoles(book) ?? {}).map(([role, shipment]) => [as[role] ?? role, shipment]),
    ),
  )
}
