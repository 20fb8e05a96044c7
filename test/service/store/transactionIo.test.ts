import { spawn } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Hardware } from '#service'
import { inTransaction, openStore, type Store } from '../../../service/store/index.ts'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { startSite } from '../../support/service/site.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { isInTransaction, takeTransactionIo } from '../../support/setup/transactionWatch.ts'

test.each<{ what: string; io: (port: number) => Promise<unknown> }>([
  { what: 'dns.promises.lookup', io: () => lookup('localhost') },
  { what: 'net.connect', io: async port => connect(port, '127.0.0.1').destroy() },
  { what: 'fs.promises.readFile', io: () => readFile(import.meta.filename) },
  { what: 'child_process.spawn', io: async () => once(spawn(process.execPath, ['--version']), 'exit') },
  { what: 'undici request', io: port => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }) },
])('$what inside a transaction is found', async ({ what, io }) => {
  const store = await startStore()
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const port = Number(new URL(receiver.url).port)
  await io(port)
  expect(takeTransactionIo()).toEqual([])
  await inTransaction(store, () => io(port).catch(() => undefined))
  expect(takeTransactionIo()).toContain(what)
})

test('statements of a transaction do no I/O besides that of the store', async () => {
  const store = await startStore()
  await Promise.all(
    Array.from({ length: 40 }, () => inTransaction(store, tx => tx.selectFrom('tenants').selectAll().execute())),
  )
  expect(takeTransactionIo()).toEqual([])
})

test('a callback address is resolved outside of transactions', async () => {
  const site = await startSite()
  const url = site.receiver.url.replace('127.0.0.1', 'localhost')
  // The resolver of a busy machine may take longer than the service waits.
  expect(await site.world.service.call('ConfigureCallback', { url, authType: 'HMAC' })).toMatchObject({ status: 200 })
  expect(takeTransactionIo()).toEqual([])
})

test('a door is opened outside of transactions', async () => {
  const inside: boolean[] = []
  const hardware: Hardware = { open: async () => inside.push(isInTransaction()) > 0 }
  const site = await startSite({ hardware })
  await site.run('Issue')
  for (const unlockGoal of ['DropOff', null]) await site.run('unlock DropOff a', { unlockGoal })
  expect(inside).toEqual([false, false])
})

async function startStore(): Promise<Store> {
  const store = await openStore(await temporaryStore())
  onTestFinished(() => store.destroy())
  return store
}
