import type { Client } from '@temporalio/client'
import { findCase } from '#client/cases'
import type { Api } from '#contract/client'
import type { ServiceProfile } from '#contract/terms'
import { type FlowDeclaration, leftOverReasons, type OrphanedCase, rolesOf } from '#flows'
import { cancelShipments } from '../cancelShipments.ts'
import type { CancelOrphanInput } from '../interface.ts'
import { toUnusedStates } from '../undoBooking.ts'
import { findExisting } from './request.ts'

export interface CancelOptions {
  readonly profile: ServiceProfile
  /** The flows of the worker. */
  readonly flows: Readonly<Record<string, FlowDeclaration>>
}

/**
 * Cancels the shipments that hold no item, by the rules of every clean-up: a shipment that existed before the flow stays.
 * Idempotent.
 */
export async function cancelOrphan(
  api: Api,
  client: Client,
  { orphan, late }: CancelOrphanInput,
  { profile, flows }: CancelOptions,
): Promise<OrphanedCase> {
  const known = await findCase(client, orphan.caseNo)
  if (known?.running) return { ...orphan, left: leftOverReasons.flowRuns }
  const flow = known && Object.hasOwn(flows, known.flow) ? flows[known.flow] : undefined
  const roles = Object.values(rolesOf(flow))
  const existing = flow ? findExisting(flow, known?.input.request ?? {}) : []
  const free = orphan.shipments.filter(({ shipmentUid }) => !existing.includes(shipmentUid))
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
