import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { operations, tokenPath } from '#contract'
import { childEnvironment } from '../../../support/childEnvironment.ts'
import { startOwnPostgres } from '../../../support/servers/serviceProcesses.ts'
import { keepConnection } from '../../../support/service/keptConnection.ts'
import { apiSettings } from '../../../support/world/settings.ts'

const maxFiles = 64
/** Milliseconds in which the service measures its event loop twice. */
const measurements = 2_200

test.runIf(process.platform === 'linux')(
  'a service without free file descriptors stays alive, returns 503, and recovers',
  { timeout: 60_000 },
  async () => {
    const { server, databaseUrl } = await startOwnPostgres()
    const limited = ['-c', `ulimit -n ${maxFiles}; exec "$0" service/main.ts`, process.execPath]
    const settings = { LOCKERFLOW_DATABASE_URL: databaseUrl, LOCKERFLOW_SERVICE_PORT: '0' }
    const child = spawn('sh', limited, { env: { ...childEnvironment, ...settings } })
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stderr.resume()
    const [line] = await once(createInterface(child.stdout), 'line')
    const [, address = ''] = /^service ready: (\S+),/.exec(String(line)) ?? []
    const { hostname, port, host } = new URL(address)
    const { clientId: client_id, clientSecret: client_secret } = apiSettings(address)
    const form = { grant_type: 'client_credentials', client_id, client_secret }
    const signedIn = await fetch(address + tokenPath, { method: 'POST', body: new URLSearchParams(form) })
    const { access_token: token } = (await signedIn.json()) as { readonly access_token: string }
    const connection = await keepConnection(Number(port))
    onTestFinished(() => connection.close())
    const head = `POST ${operations.GetPickUpPoints.path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}`
    const request = Buffer.from(`${head}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`)
    const readError = async () => (JSON.parse((await connection.send(request)).text) as { error: string | null }).error
    await expect.poll(readError).toBeNull()

    await server.stop()
    const others: Socket[] = []
    const occupying = setInterval(() => {
      for (let count = 0; count < maxFiles; count++)
        others.push(connect(Number(port), hostname).on('error', () => undefined))
    }, 100)
    const release = () => {
      clearInterval(occupying)
      for (const socket of others) socket.destroy()
    }
    onTestFinished(release)
    await expect.poll(() => countFiles(child.pid), { timeout: 10_000 }).toBeGreaterThanOrEqual(maxFiles)
    expect(await readError()).toBe('Unavailable')
    await pause(measurements)
    expect(await readError()).toBe('Unavailable')

    release()
    await server.start()
    await expect.poll(readError, { timeout: 20_000 }).toBeNull()
  },
)

function countFiles(pid: number | undefined): number {
  return readdirSync(`/proc/${pid}/fd`).length
}
