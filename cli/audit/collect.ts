import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '@temporalio/client'
import { readTemporalTarget } from '#client/connection'
import { unlessAborted } from '#platform/interruption'
import { createProcessLog } from '#platform/logs'
import { logLevelVariable, readVariables } from '#platform/settings'
import { type AuditLog, readDatabaseUrl } from '#service'
import { CommandFailure, exitCodes } from '../command/failure.ts'
import type { VerbAction, VerbCall } from '../command/verb.ts'
import { connectTemporal } from '../temporalConnection.ts'
import { requireTenant, withLog } from './actions.ts'
import { readCollection } from './arguments.ts'
import { readDecisions, type SeenHistories } from './decisions.ts'
import { requireTenantOfFlows } from './tenantOfFlows.ts'

/** Milliseconds until a failed pass is retried, if the next one is not due before. */
const retryInterval = 60_000

/** Adds the decisions of operators about flows, which Temporal has, to the log: once, or at an interval until a signal. */
export const collect: VerbAction = {
  async run(call) {
    const { tenantId, interval, isLast } = readCollection(call, Date.now())
    if (interval !== undefined) return collectAtInterval(call, interval)
    const added = await withLog(call, async log => {
      await requireTenant(log, tenantId)
      const count = await collectOnce(call, log, new Map())
      if (isLast) await log.endDecisions(tenantId)
      return count
    })
    call.output.result({ added }, () => [`${added} ${added === 1 ? 'decision' : 'decisions'} about flows added`])
  },
}

/** Writes a log, as the other processes of a cluster do. */
async function collectAtInterval(call: VerbCall, interval: number): Promise<void> {
  const { environment, signal } = call
  // Wrong settings end the process at its start. Later faults pass.
  readDatabaseUrl(environment)
  readTemporalTarget(environment)
  const log = createProcessLog('audit', readVariables(environment, logLevelVariable).LOCKERFLOW_LOG_LEVEL)
  const { tenantId } = readCollection(call, Date.now())
  // The first pass of a large namespace takes minutes.
  call.output.item(
    { tenantId, intervalMs: interval },
    () => `audit ready: copies the decisions about flows of ${tenantId} every ${call.options.every}`,
  )
  const seen: SeenHistories = new Map()
  while (!signal.aborted) {
    let next = interval
    try {
      // A pass that is cut off is repeated by the next process: no entry is added twice.
      const added = await unlessAborted(collectAndNote(call, seen, interval), signal)
      log.info({ tenantId, added }, 'decisions collected')
    } catch (error) {
      if (signal.aborted) break
      // A tenant that the store lacks, or that has no part in the flows, is a wrong setting too. An outage has another exit code.
      if (error instanceof CommandFailure && error.exitCode === exitCodes.misused) throw error
      next = Math.min(interval, retryInterval)
      log.warn({ logId: 'decisions-not-collected', tenantId, err: error, retryInMs: next }, 'decisions not collected')
    }
    await delay(next, undefined, { signal }).catch(() => undefined)
  }
}

/** A pass that services wait for: the store knows when the next one is due. */
function collectAndNote(call: VerbCall, seen: SeenHistories, interval: number): Promise<number> {
  const { tenantId } = readCollection(call, Date.now())
  return withLog(call, async log => {
    await requireTenant(log, tenantId)
    await log.expectDecisions(tenantId, interval)
    const added = await collectOnce(call, log, seen)
    await log.noteDecisionsAdded(tenantId, interval)
    return added
  })
}

/** Returns the number of decisions that the log lacked. */
async function collectOnce(call: VerbCall, log: AuditLog, seen: SeenHistories): Promise<number> {
  const { tenantId, since } = readCollection(call, Date.now())
  const { temporal, namespace, dataConverter } = readTemporalTarget(call.environment)
  const connection = await connectTemporal(temporal)
  const client = new Client({ connection, namespace, dataConverter })
  try {
    await requireTenantOfFlows(client, log, { tenantId, since })
    return await log.addDecisions(tenantId, readDecisions(client, since, seen))
  } finally {
    await connection.close()
  }
}
