import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { operations, tokenPath } from '#contract'
import { childEnvironment, serviceWithoutLimits } from '../../../support/childEnvironment.ts'
import { temporaryFile } from '../../../support/service/temporaryStore.ts'
import { apiSettings } from '../../../support/world/settings.ts'

/** The largest file, in blocks of 512 bytes: the tables fit, and some hundred accounts. */
const largestFile = 2_048

type Call = (operation: 'CreateAccount' | 'GetShipments') => Promise<number>

/** Starts a service whose files cannot grow. Returns a function that calls it, and returns the status. */
async function startOnFullDisk(): Promise<Call> {
  const limited = ['-c', `trap '' XFSZ; ulimit -f ${largestFile}; exec "$0" service/main.ts`, process.execPath]
  const settings = { LOCKERFLOW_DATABASE_URL: temporaryFile(), LOCKERFLOW_SERVICE_PORT: '0' }
  const child = spawn('sh', limited, { env: { ...childEnvironment, ...serviceWithoutLimits, ...settings } })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stderr.resume()
  const [line] = await once(createInterface(child.stdout), 'line')
  const [, address = ''] = /^service ready: (\S+),/.exec(String(line)) ?? []
  const { clientId: client_id, clientSecret: client_secret } = apiSettings(address)
  const form = { grant_type: 'client_credentials', client_id, client_secret }
  const response = await fetch(address + tokenPath, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token: token } = (await response.json()) as { readonly access_token: string }
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return async operation => {
    const person = { firstName: 'Ada', lastName: 'x'.repeat(50), pickUpPointUid: 'pup-1' }
    const body = operation === 'CreateAccount' ? { ...person, emailAddress: `${randomUUID()}@home.example` } : {}
    const sent = await fetch(address + operations[operation].path, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    })
    await sent.text()
    return sent.status
  }
}

test.runIf(process.platform === 'linux')('reads beside writes that a full disk refuses are answered', async () => {
  const call = await startOnFullDisk()
  // Accounts that are created together share a commit, which takes the last blocks.
  await expect
    .poll(async () => (await Promise.all(Array.from({ length: 50 }, () => call('CreateAccount')))).at(-1))
    .toBe(503)
  const names = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? 'GetShipments' : 'CreateAccount'))
  const statuses = await Promise.all(names.map(call))
  expect(statuses.filter((_, at) => names[at] === 'GetShipments')).toEqual(Array(20).fill(200))
  // A few small writes may find room.
  expect(statuses.filter((_, at) => names[at] === 'CreateAccount')).toContain(503)
})
