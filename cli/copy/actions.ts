import { databaseTlsVariables, environmentVariable, readVariables, secureUrl } from '#contract/settings'
import { copyStore, readKeyEncryption, toPath } from '#service'
import { misuse } from '../command/failure.ts'
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
    })
    // The service that reads the database often has the setting, and then it does not start on this copy.
    if (targetKeys === undefined) {
      output.note(
        'LOCKERFLOW_STORE_KEYS is not set, so a public key encrypts the secrets, and a service with the setting cannot read them.\n' +
          'To encrypt them, empty the database, set the variable and copy again.',
      )
    }
    if (output.json) return
    output.result({}, () => [
      '',
      'PostgreSQL has all rows. Set LOCKERFLOW_DATABASE_URL to its URL and start the service.',
      'The old file is unchanged. Keep it as a backup, and start no service with it again.',
    ])
  },
}

/**
 * Reads the URLs of the old and the new store. The connection to the new one follows the settings of TLS (D-184).
 * @throws CommandFailure without the arguments, since a URL contains a secret; SettingsError for a URL without TLS
 */
export function readUrls({ values }: Given, environment: NodeJS.ProcessEnv): { from: string; to: string } {
  const [from = '', to = ''] = values
  if (!/^file:./.test(from)) throw misuse('from: must be the file: URL of the embedded store.')
  if (!/^postgres(ql)?:\/\/./.test(to)) throw misuse('to: must be the postgres:// URL of an empty database.')
  const tls = readVariables(environment, { ...environmentVariable, ...databaseTlsVariables })
  return {
    from,
    to: secureUrl({ name: 'to', url: to, example: 'postgres://lockerflow:secret@db.example/lockerflow' }, tls),
  }
}
