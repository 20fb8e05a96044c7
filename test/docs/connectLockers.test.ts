import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../project/sources.ts'
import { readBlocks } from './blocks.ts'
import { startCommand } from './commands.ts'

test('the adapter of the page opens a locker by HTTP', { timeout: 90_000 }, async () => {
  const opened: (string | undefined)[] = []
  const controller = createServer((request, response) => {
    opened.push(`${request.method} ${request.url}`)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(controller, 'listening')
  onTestFinished(() => void controller.close())

  // Inside the project, where the imports of package.json apply.
  const folder = join(root, '.lockerflow', 'adapter')
  await mkdir(folder, { recursive: true })
  onTestFinished(() => rm(folder, { recursive: true }))
  const blocks = readBlocks('how-to/connect-lockers.md')
  await writeFile(join(folder, 'depot.ts'), blocks.find(({ language }) => language === 'ts')?.text ?? '')
  const command = blocks.find(({ language }) => language === 'sh')?.text ?? ''
  const { port } = controller.address() as AddressInfo
  const variables = {
    DOORS_URL: `http://127.0.0.1:${port}`,
    LOCKERFLOW_SERVICE_PORT: '0',
    LOCKERFLOW_DATABASE_URL: `file:${join(folder, 'service.db')}`,
  }
  const service = startCommand(command, variables, folder)
  onTestFinished(() => service.stop())
  const [, address = ''] = await service.line(/service ready: (\S+)/)

  const credentials = `Basic ${Buffer.from('acme:acme-secret').toString('base64')}`
  const token = await post(address, 'connect/token', { authorization: credentials }, 'grant_type=client_credentials')
  const authorization = `Bearer ${token.access_token}`
  const call = (path: string, body: object) => post(address, `v1/Logistics/${path}`, { authorization }, body)
  const { shipmentUids } = await call('CreateLocalShipmentAsStock', {
    PupUid: 'pup-1',
    AllowLargerLockers: true,
    AllowOverflowLockers: false,
    Dimension: { width: 10, height: 10, length: 10 },
  })
  expect(await call('UnlockShipmentLocker', { shipmentUid: shipmentUids[0] })).toMatchObject({ success: true })
  expect(opened).toEqual([expect.stringMatching(/^POST \/pup-1\/\d+$/)])
})

/** Sends JSON, or a text as a form. Returns the body of the response. */
async function post(address: string, path: string, headers: Record<string, string>, body: object | string) {
  const [type, text] =
    typeof body === 'string'
      ? ['application/x-www-form-urlencoded', `${body}&scope=integration_api`]
      : ['application/json', JSON.stringify(body)]
  const response = await fetch(`${address}/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': type },
    body: text,
  })
  // biome-ignore lint/suspicious/noExplicitAny: the fields differ by operation
  return (await response.json()) as any
}
