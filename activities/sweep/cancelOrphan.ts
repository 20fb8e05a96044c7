import type { Client } from '@temporalio/client'
import type { Api } from '#api'
import { findCase } from '#client/cases'
import type { ServiceProfile } from '#contract/terms'
import { type FlowDeclaration, flows, leftOverReasons, type OrphanedCase, rolesOf, toExistingShipmentUid } from '#flows'
import { cancelShipments } from '../cancelShipments.ts'
import type { CancelOrphanInput } from '../interface.ts'
import { toUnusedStates } from '../undoBooking.ts'

const declared: Readonly<Record<string, FlowDeclaration>> = flows

/**
 * Cancels the shipments that hold no item, by the rules of every clean-up: a shipment that existed before the flow stays.
 * Repeating it is harmless.
 */
export async function cancelOrphan(
  api: Api,
  client: Client,
  { orphan, late }: CancelOrphanInput,
  profile: ServiceProfile,
): Promise<OrphanedCase> {
  const known = await findCase(client, orphan.caseNo)
  if (known?.running) return { ...orphan, left: leftOverReasons.flowRuns }
  const roles = Object.values(rolesOf(declared[known?.flow ?? '']))
  const existing = roles.some(role => role.existing)
    ? toExistingShipmentUid({ request: known?.input.request ?? {} })
    : undefined
  const free = orphan.shipments.filter(({ shipmentUid }) => shipmentUid !== existing)
  const unusedStates = late ? toUnusedStates(roles) : []
  const cleaned = await cancelShipments(api, { shipments: free, profile, unusedStates })
  const shipments = orphan.shipments.map(shipment => {
    const { stateCode, left } = cleaned.find(({ shipmentUid }) => shipmentUid === shipment.shipmentUid) ?? {
      stateCode: shipment.stateCode,
      left: leftOverReasons.existedBefore,
    }
    return { ...shipment, stateCode, ...(left !== null && { left }) }
  })
  return { ...orphan, shipments }
}
