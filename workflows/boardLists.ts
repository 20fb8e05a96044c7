import type { LeftOver, Refusal } from '#contract/terms'
import { moment, plain, row, stateName } from './markdown.ts'
import type { HeldShipment } from './run.ts'

/** How many of the newest refusals the board shows. */
const newest = 5

/** The shipments as a table, and their uids below it: the Web UI has no room for them in it. */
export function shipmentLines(shipments: readonly HeldShipment[]): string[] {
  if (shipments.length === 0) return []
  return [
    row('shipment', 'state', 'locker', 'since'),
    '|---|---|---|---|',
    ...shipments.map(held => row(plain(held.role), stateName(held.stateCode), place(held), moment(held.stateStart))),
    '',
    ...shipments.map(({ role, shipmentUid }) => `- ${plain(role)}: ${plain(shipmentUid)}`),
  ]
}

function place({ lockerName, pupUid }: HeldShipment): string {
  const locker = lockerName === null ? 'not known' : plain(lockerName)
  return pupUid === null ? locker : `${locker} at ${plain(pupUid)}`
}

/** What the flow did not end, and why. */
export function leftOverLines(leftOver: readonly LeftOver[], shipments: readonly HeldShipment[]): string[] {
  return leftOver.map(({ shipmentUid, why }) => {
    const role = shipments.find(held => held.shipmentUid === shipmentUid)?.role
    return `- ${plain(role ?? shipmentUid)}: ${plain(why)}`
  })
}

/** What was not believed or could not be done, the newest first. */
export function refusalLines(refusals: readonly Refusal[]): string[] {
  const shown = refusals.slice(-newest).toReversed()
  const earlier = refusals.length - shown.length
  return [
    ...shown.map(({ at, what }) => `- ${moment(at)}: ${plain(what)}`),
    ...(earlier > 0 ? [`- and ${earlier} earlier; the query \`status\` has them`] : []),
  ]
}
