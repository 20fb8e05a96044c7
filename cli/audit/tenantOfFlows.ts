import type { Client } from '@temporalio/client'
import { defineSearchAttributeKey } from '@temporalio/common'
import { searchAttributes } from '#flows'
import type { AuditLog } from '#service'
import { misuse } from '../command/failure.ts'
import { flowsSince, pageSize } from './decisions.ts'

const shipments = defineSearchAttributeKey(searchAttributes.shipments.name, 'KEYWORD_LIST')

/**
 * Refuses a namespace of another tenant. No flow names its tenant, but the store has the tenant of each shipment.
 * Shipments of another service are unknown to the store, and prove nothing.
 * @param since milliseconds since 1970, of the flows to read
 * @throws CommandFailure if the store knows shipments of the flows, and none of them belongs to the tenant
 */
export async function requireTenantOfFlows(
  { workflow, options }: Client,
  log: AuditLog,
  { tenantId, since }: { readonly tenantId: string; readonly since: number },
): Promise<void> {
  const uids: string[] = []
  let read = 0
  for await (const { typedSearchAttributes } of workflow.list({ query: flowsSince(since), pageSize })) {
    uids.push(...(typedSearchAttributes.get(shipments) ?? []).slice(0, 1))
    if (++read === pageSize) break
  }
  const owners = await log.tenantsOf(uids)
  if (owners.length === 0 || owners.includes(tenantId)) return
  throw misuse(
    `--tenant: must be the tenant of the flows in the namespace ${options.namespace}, got "${tenantId}". Their shipments belong to ${owners.join(' and ')}.`,
  )
}
