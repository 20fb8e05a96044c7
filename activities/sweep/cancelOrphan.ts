import type { Client } from '@temporalio/client'
import type { Api } from '#api'
import { findCase } from '#client'
import type { OrphanedCase, ServiceProfile } from '#contract/terms'
import { type FlowDeclaration, flows } from '#workflows/flows'
import { cancelShipments } from '../cancelShipments.ts'
import { priorOf } from '../sets.ts'

const before = 'it was in stock before the flow'

const declared: Readonly<Record<string, FlowDeclaration>> = flows

/**
 * Cancels what nobody has put an item into, after a look at each shipment, by the rules of every clean-up: what was
 * there before the flow is left too. Repeating it does no harm.
 */
export async function cancelOrphan(
  api: Api,
  client: Client,
  orphan: OrphanedCase,
  profile: ServiceProfile,
): Promise<OrphanedCase> {
  const known = await findCase(client, orphan.caseNo)
  if (known?.running) return { ...orphan, left: 'its flow runs again' }
  const roles = Object.values(declared[known?.flow ?? '']?.roles ?? {})
  const given = roles.some(role => role.given) ? priorOf({ request: known?.input.request ?? {} }) : undefined
  const free = orphan.shipments.filter(({ shipmentUid }) => shipmentUid !== given)
  const cleaned = await cancelShipments(api, { shipments: free, profile })
  const shipments = orphan.shipments.map(shipment => {
    const { stateCode, left } = cleaned.find(({ shipmentUid }) => shipmentUid === shipment.shipmentUid) ?? {
      stateCode: shipment.stateCode,
      left: before,
    }
    return { ...shipment, stateCode, ...(left !== null && { left }) }
  })
  return { ...orphan, shipments }
}
