import { argv, stdout } from 'node:process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from '@temporalio/client'
import { type AuditFilter, type AuditLog, openAuditLog, readDatabaseUrl } from '#service'
import { readTemporalTarget } from '#worker'
import { readArguments } from './audit/arguments.ts'
import { readDecisions } from './audit/decisions.ts'
import { connectTemporal } from './temporalConnection.ts'

// The command reads the store directly, so it also works while no service runs.
try {
  const given = readArguments(argv.slice(2), Date.now())
  const log = await openAuditLog(readDatabaseUrl())
  try {
    if (given.act === 'collect') await collect(log, given.tenantId, given.since)
    else {
      await warnOfPurge(log, given.filter)
      await pipeline(Readable.from(toLines(log, given.filter)), stdout, { end: false })
    }
  } finally {
    await log.close()
  }
} catch (error) {
  console.error(`audit: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

async function collect(log: AuditLog, tenantId: string, since: number): Promise<void> {
  const { temporal, namespace, dataConverter } = readTemporalTarget()
  const connection = await connectTemporal(temporal)
  const client = new Client({ connection, namespace, ...(dataConverter && { dataConverter }) })
  try {
    console.log(`${await log.addDecisions(tenantId, readDecisions(client, since))} decisions about flows added`)
  } finally {
    await connection.close()
  }
}

/** To standard error: standard output has lines of JSON only. */
async function warnOfPurge(log: AuditLog, { since = 0 }: AuditFilter): Promise<void> {
  const purged = await log.purgedBefore()
  if (purged !== undefined && purged > since)
    console.error(`audit: entries before ${new Date(purged).toISOString()} have been purged.`)
}

async function* toLines(log: AuditLog, filter: AuditFilter): AsyncGenerator<string> {
  for await (const entry of log.read(filter)) yield `${JSON.stringify(entry)}\n`
}
