import {
  type ErasureReport,
  openPersons,
  type PersonSelection,
  type Persons,
  readDatabaseUrl,
  type Staying,
} from '#service'
import { jsonLines } from '../command/output.ts'
import { type Given, isGiven, textOf } from '../command/values.ts'
import type { VerbCall } from '../command/verb.ts'

/** Prints all data of a person as JSON, or erases it and reports what stays. */
export async function run(call: VerbCall): Promise<void> {
  const selection = toSelection(call)
  await withPersons(call, async persons => {
    if (!isGiven(call, 'erase')) {
      const data = await persons.export(selection)
      call.output.result(data, () => jsonLines(data))
      return
    }
    const report = await persons.erase(selection)
    const complete = { ...report, stays: [...report.stays, stayingHistories(report.userUid)] }
    call.output.result(complete, () => formatReport(complete))
  })
}

/** The account that a command line names. */
export function toSelection(given: Given): PersonSelection {
  return { userUid: textOf(given, 'user') ?? '', tenantId: textOf(given, 'tenant') }
}

/** Changes the store directly, so it also works while no service runs. */
async function withPersons({ environment }: VerbCall, use: (persons: Persons) => Promise<void>): Promise<void> {
  const persons = await openPersons(readDatabaseUrl(environment))
  try {
    await use(persons)
  } finally {
    await persons.close()
  }
}

/** An `onboardAccount` begins before the account exists, so its search attributes have no uid. */
export function stayingHistories(userUid: string): Staying {
  const accounts =
    'those cases of `lockerflow flow list --flow onboardAccount --state ended` whose result has this userUid'
  return {
    what: 'histories of flows in Temporal',
    reason: `they end with the retention of the namespace; to delete them before, use \`temporal workflow delete\` for the closed flows of LockerflowUser = '${userUid}', and for ${accounts}`,
  }
}

/** Describes an erasure, one line per table and per thing that stays. */
export function formatReport({ userUid, erased, stays }: ErasureReport): string[] {
  return [
    `${userUid} is erased.`,
    '',
    ...erased.map(({ table, rows, done }) => `${done}  ${table}: ${rows}`),
    '',
    'These stay, for the reasons given:',
    ...stays.map(({ what, rows, reason }) => `- ${what}${rows === undefined ? '' : `: ${rows}`}: ${reason}`),
  ]
}
