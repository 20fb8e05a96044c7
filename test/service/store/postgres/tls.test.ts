import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { readDatabaseUrl } from '#service'
import { isUnavailable } from '../../../../service/store/errors.ts'
import { openStore } from '../../../../service/store/index.ts'
import { createCertificate } from '../../../support/servers/certificate.ts'
import { temporaryFolder } from '../../../support/service/temporaryStore.ts'
import { type PostgresServer, startPostgres } from '../../../support/setup/postgresServer.ts'

/** The address of the server. */
const host = '127.0.0.1'

function fileWith(text: string): string {
  const path = join(temporaryFolder(), 'ca.pem')
  writeFileSync(path, text)
  return path
}

/** The URL as production reads it. */
function urlOf(server: PostgresServer, certificate?: string): string {
  return readDatabaseUrl({
    LOCKERFLOW_ENVIRONMENT: 'production',
    LOCKERFLOW_DATABASE_URL: server.urlOf('postgres'),
    ...(certificate !== undefined && { LOCKERFLOW_DATABASE_CA: fileWith(certificate) }),
  })
}

describe('TLS to PostgreSQL', () => {
  const trusted = createCertificate(host)
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgres({ tls: trusted })
  })
  afterAll(() => server.remove())

  test('a certificate of the authority in the settings is accepted, and the connection is encrypted', async () => {
    const store = await openStore(urlOf(server, trusted.certificate))
    onTestFinished(() => store.destroy())
    const { rows } = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(store)
    expect(rows).toEqual([{ ssl: true }])
  })

  test.each([
    ['of another authority', undefined],
    ['whose authority is another one', createCertificate(host).certificate],
  ])('a certificate %s stops the start, and the message names the settings', async (_name, authority) => {
    const url = urlOf(server, authority)
    await expect(openStore(url)).rejects.toThrow(
      /^LOCKERFLOW_DATABASE_TLS: the TLS of PostgreSQL at 127\.0\.0\.1:\d+ must be usable, .* Set LOCKERFLOW_DATABASE_CA /,
    )
    await expect(openStore(url)).rejects.not.toThrow('postgres:postgres@')
    const client = new Client({ connectionString: url })
    // A running service counts as without its store, and recovers when the certificate is replaced.
    await expect(client.connect().catch(error => isUnavailable(error))).resolves.toBe(true)
  })

  test('a certificate for another host stops the start', async () => {
    const url = urlOf(server, trusted.certificate).replace(`@${host}:`, '@localhost:')
    await expect(openStore(url)).rejects.toThrow(/^LOCKERFLOW_DATABASE_TLS: .* at localhost:.*does not match/)
  })
})

test('a server without TLS stops the start in production, unless the settings say otherwise', async () => {
  const url = inject('postgres')?.url ?? ''
  const production = { LOCKERFLOW_ENVIRONMENT: 'production', LOCKERFLOW_DATABASE_URL: url }
  await expect(openStore(readDatabaseUrl(production))).rejects.toThrow(
    /^LOCKERFLOW_DATABASE_TLS: .*The server does not support SSL connections.*LOCKERFLOW_DATABASE_TLS=optional/,
  )
  expect(readDatabaseUrl({ ...production, LOCKERFLOW_DATABASE_TLS: 'optional' })).toBe(url)
  await expect(openStore(`${url}?sslmode=verify-full`)).rejects.toThrow(
    /LOCKERFLOW_DATABASE_TLS=optional, .*sslmode=disable/,
  )
})
