import {
  databaseTlsVariables,
  environmentVariable,
  findStorePath,
  mustBeFileUrl,
  readSecret,
  readVariables,
  SettingsError,
  secureUrl,
} from '#platform/settings'
import { copyStore, readKeyEncryption, TargetNotEmpty, toPath } from '#service'
import { CommandFailure, exitCodes, failed, misuse } from '../command/failure.ts'
import { type Given, requireFile } from '../command/values.ts'
import type { VerbAction } from '../command/verb.ts'

/** Copies the embedded store to an empty PostgreSQL database. */
export const copy: VerbAction = {
  async run(call) {
    const { from, to } = readUrls(call, call.environment)
    const { output } = call
    await requireFile('from', toPath(from))
    const targetKeys = readKeyEncryption(call.environment)
    await copyStore(from, to, {
      signal: call.signal,
      targetKeys,
      onTable: ({ table, rows }) =>
        output.item({ table, rows }, () => `${table.padEnd(22)}${String(rows).padStart(9)}`),
    }).catch(error => {
      throw error instanceof TargetNotEmpty ? failed(error.message, emptyRemedy) : error
    })
    // The service that reads the database often has the setting, and then it does not start on this copy.
    if (targetKeys === undefined) {
      output.note([
        'LOCKERFLOW_STORE_KEYS is not set, so a public key encrypts the secrets, and a service with the setting cannot read them.',
        'To encrypt them, empty the database, set the variable and copy again.',
      ])
    }
    const [, argument] = call.values
    if (argument !== undefined && URL.parse(argument)?.password) {
      output.note([
        'to: contains a password, which other users of this machine (ps) and the history of the shell show.',
        `Next time set ${setting} or ${setting}_FILE, and omit the argument.`,
      ])
    }
    if (output.json) return
    output.result({}, () => [
      '',
      `PostgreSQL has all rows. Set ${setting} or ${setting}_FILE of the service to PostgreSQL, and start it.`,
      'The old file keeps its rows. Its write-ahead log was merged into it, so its checksum may differ. Keep the file as a backup, and do not start a service with it again.',
    ])
  },
}

const setting = 'LOCKERFLOW_DATABASE_URL'
const emptyRemedy =
  'Create an empty database, and copy to it. If a copy has ended before, this database is complete: start the service on it.'
const example = 'postgres://lockerflow:secret@db.example/lockerflow'

/**
 * Reads the URLs of the old and the new store. The connection to the new one follows the settings of TLS.
 * @throws CommandFailure without the arguments, since a URL contains a secret; SettingsError for the setting, and for a URL
 * without TLS
 */
export function readUrls({ values }: Given, environment: NodeJS.ProcessEnv): { from: string; to: string } {
  const [from = '', given] = values
  if (!/^file:./.test(from)) throw misuse('from: must be the file: URL of the embedded store.')
  if (findStorePath(from) === undefined) throw misuse(`from: ${mustBeFileUrl}.`)
  const url = given ?? readTarget(environment)
  if (!isPostgres(url)) throw misuse(`to: ${rule}.`)
  const tls = readVariables(environment, { ...environmentVariable, ...databaseTlsVariables })
  return { from, to: secureUrl({ name: given === undefined ? setting : 'to', url, example }, tls) }
}

const rule = 'must be the postgres:// URL of an empty database'

/** Other users of the machine can read the command line, so a URL with a password comes from the setting or its file. */
function readTarget(environment: NodeJS.ProcessEnv): string {
  const read = readSecret(environment, setting)
  if ('wrong' in read) throw new SettingsError({ name: setting, example, ...read })
  const { text } = read
  if (text === undefined) {
    const remedy = `Set ${setting}, or name the database as an argument if its URL has no password.`
    throw new CommandFailure('InvalidArguments', 'to: must be given.', { exitCode: exitCodes.misused, remedy })
  }
  if (!isPostgres(text)) throw new SettingsError({ name: setting, wrong: rule, example })
  if (URL.canParse(text)) return text
  const wrong = 'must be a URL, in whose password characters such as / and # are written as %2F and %23'
  throw new SettingsError({ name: setting, wrong, example })
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\/./.test(url)
}
