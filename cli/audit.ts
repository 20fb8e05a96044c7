import { argv, stdout } from 'node:process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type AuditFilter, type AuditLog, openAuditLog, readDatabaseUrl } from '#service'
import { readArguments } from './audit/arguments.ts'

// The command reads the store directly, so it also works while no service runs.
try {
  const filter = readArguments(argv.slice(2), Date.now())
  const log = await openAuditLog(readDatabaseUrl())
  try {
    await warnOfPurge(log, filter)
    await pipeline(Readable.from(toLines(log, filter)), stdout, { end: false })
  } finally {
    await log.close()
  }
} catch (error) {
  console.error(`audit: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
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
