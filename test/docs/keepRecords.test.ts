import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { signInWith, startWithRegistry } from '../support/service/registry.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'
import { startTestService, type TestService } from '../support/service/testService.ts'
import { tenant, topology } from '../support/service/topology.ts'
import { readBlocks } from './blocks.ts'
import { runBlock } from './commands.ts'

const blocks = readBlocks('how-to/keep-records.md')

const run = (name: string, folder: string, variables: Record<string, string>) =>
  runBlock(blocks, name, variables, folder)

const person = { firstName: 'Ada', lastName: 'Lovelace', emailAddress: 'ada@home.example', pickUpPointUid: 'shared' }

async function isRegistered(service: TestService): Promise<unknown> {
  return (await service.call('GetAccount', { emailAddress: person.emailAddress })).body.isExisting
}

test('the drills of the page: an erasure, a tenant that leaves, and a restore that undoes both', {
  timeout: 300_000,
}, async () => {
  const folder = temporaryFolder()
  const [store, backup] = [join(folder, 'service.db'), join(folder, 'backup.db')]
  const databaseUrl = `file:${store}`
  const robots = { ...topology, tenants: [tenant('acme', 'robot'), tenant('globex')] }
  const { service, registry } = await startWithRegistry({ databaseUrl, topology: robots })
  const { body } = await service.call('CreateAccount', person)
  const userUid = String(body.userUid)
  const variables = { LOCKERFLOW_DATABASE_URL: databaseUrl, STORE: store, BACKUP: backup, USER_UID: userUid }
  await run('backup', folder, variables)
  expect(statSync(backup).mode & 0o777).toBe(0o600)

  await run('export', folder, variables)
  expect(JSON.parse(readFileSync(join(folder, 'person.json'), 'utf8'))).toMatchObject({
    account: { email: person.emailAddress },
  })
  expect(await run('erase', folder, variables)).toContain('deleted  accounts: 1\n')
  expect(await isRegistered(service)).toBe(false)

  await run('disable', folder, variables)
  expect((await signInWith(service, 'globex', 'globex-secret')).status).toBe(401)
  await run('remove', folder, variables)
  expect((await registry.list()).tenants).toEqual([{ tenantId: 'acme', isDisabled: false }])
  expect(readFileSync(join(folder, 'globex-audit.jsonl'), 'utf8')).toContain('"tenant.disabled"')
  await registry.disable({ clientId: 'robot' })

  await run('before', folder, variables)
  const audit = readFileSync(join(folder, 'audit.jsonl'), 'utf8')
  for (const action of ['account.erased', 'tenant.removed', 'client.disabled']) expect(audit).toContain(`"${action}"`)
  await registry.close()
  await service.stop()
  await run('restore', folder, variables)

  const restored = await startTestService({ databaseUrl, topology: robots })
  onTestFinished(() => restored.stop())
  // As the page says, the restore has undone all of it.
  expect(await isRegistered(restored)).toBe(true)
  for (const client of ['robot', 'globex'])
    expect((await signInWith(restored, client, `${client}-secret`)).status).toBe(200)
  expect(await run('again', folder, variables)).toContain(`${userUid} is erased.`)
  expect(await isRegistered(restored)).toBe(false)
  expect((await signInWith(restored, 'robot', 'robot-secret')).status).toBe(401)
})

test('a backup of a store that does not exist fails, and a restore from a missing backup changes nothing', async () => {
  const folder = temporaryFolder()
  const [store, backup] = [join(folder, 'service.db'), join(folder, 'backup.db')]
  for (const missing of [store, '']) {
    await expect(run('backup', folder, { STORE: missing, BACKUP: backup })).rejects.toThrow()
    expect([existsSync(store), existsSync(backup)]).toEqual([false, false])
  }
  // A service that has crashed leaves its last rows in the file beside the store.
  for (const file of [store, `${store}-wal`]) writeFileSync(file, 'rows')
  await expect(run('restore', folder, { STORE: store, BACKUP: backup })).rejects.toThrow()
  for (const file of [store, `${store}-wal`]) expect(readFileSync(file, 'utf8')).toBe('rows')
})
