import { argv } from 'node:process'
import { openPersons, type Persons, readDatabaseUrl, readErasureUrl } from '#service'
import { type PersonArguments, readArguments } from './person/arguments.ts'
import { callErasureHook } from './person/hook.ts'
import { formatReport } from './person/report.ts'

// The command changes the store directly, so it also works while no service runs.
try {
  const request = readArguments(argv.slice(2))
  const erasureUrl = readErasureUrl()
  const persons = await openPersons(readDatabaseUrl())
  try {
    console.log(await run(persons, request, erasureUrl))
  } finally {
    await persons.close()
  }
} catch (error) {
  console.error(`person: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

async function run(
  persons: Persons,
  { action, json, ...selection }: PersonArguments,
  erasureUrl: string | undefined,
): Promise<string> {
  if (action === 'export') return JSON.stringify(await persons.export(selection), undefined, 2)
  const report = await persons.erase(selection)
  const stays = [...report.stays, ...(await callErasureHook(erasureUrl, selection.userUid))]
  const complete = { ...report, stays }
  return json ? JSON.stringify(complete, undefined, 2) : formatReport(complete).join('\n')
}
