import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { type HardwareAdapter, listDoors } from '#service'
import { freePort } from '../../platform/ports.ts'
import { guardChild } from '../../testing/temporal/serverProcess.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { eventually } from '../support/eventually.ts'
import { signed } from '../support/hardware/messages.ts'
import { openSite } from '../support/service/site.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'
import { readBlocks } from './blocks.ts'

function writeAdapter(): string {
  const file = join(temporaryFolder(), 'adapter.mjs')
  writeFileSync(file, readBlocks('how-to/connect-lockers.md').find(({ language }) => language === 'js')?.text ?? '')
  return file
}

test.each([{}, { HARDWARE_KEY: '' }])('the adapter of the page does not start without a key: %j', async key => {
  const env = { ...childEnvironment, ...key, PORT: '0' }
  const child = spawn(process.execPath, [writeAdapter()], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdout.once('data', () => child.kill('SIGKILL'))
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([code, errors]).toEqual([1, expect.stringContaining('HARDWARE_KEY must be set.')])
})

test('a service opens a door through the adapter of the page, once, and gets its event', async () => {
  const key = 'key-of-the-adapter-on-the-page'
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const adapter: HardwareAdapter = { name: undefined, url, keys: [key], pickUpPoints: undefined }
  const site = await openSite({ hardwareAdapters: [adapter] })
  onTestFinished(() => site.stop())
  const { address, settings, store } = site.world.service
  const env = {
    ...childEnvironment,
    HARDWARE_KEY: key,
    PORT: String(port),
    EVENTS_URL: `${address}/hardware/events`,
    DOORS: listDoors(settings.topology)
      .map(({ pupUid, lockerUid }) => `${pupUid}/${lockerUid}`)
      .join(','),
  }
  const child = spawn(process.execPath, [writeAdapter()], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  guardChild(child, 1)
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(createInterface(child.stdout), 'line')

  const letter = site.lettersIn(await site.run('Issue', { PupUid: 'square' }))
  const { body } = await site.run(`unlock DropOff ${letter}`)
  expect(body).toMatchObject({ success: true, error: null })
  const { lockerUid, pupUid } = await site.read(letter)
  const doors = () => store.selectFrom('locker_doors').select(['locker_uid', 'state']).execute()
  await eventually(async () => (await doors()).length > 0)
  expect(await doors()).toEqual([{ locker_uid: lockerUid, state: 'open' }])

  const request = { type: 'open', openId: randomUUID(), pupUid, lockerUid, validForMs: 5_000 }
  const open = async () => (await fetch(`${url}/open`, signed(JSON.stringify(request), { keys: [key] }))).json()
  expect(await open()).toEqual(await open())
})
