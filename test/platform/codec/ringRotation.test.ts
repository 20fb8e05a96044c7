import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { createDataConverter, openPersonalKeys, type PersonalKeys } from '#platform/codec'
import { openAuditLog } from '#service'
import { readBlocks } from '../../docs/blocks.ts'
import { runBlock } from '../../docs/commands.ts'
import { newKey, ringOf } from '../../support/codec/keys.ts'
import { keyIdsOf, payloadsIn } from '../../support/codec/payloads.ts'
import { eventually } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { newFolder } from '../../support/service/temporaryStore.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const { folder, remove } = newFolder()
const databaseUrl = `file:${join(folder, 'service.db')}`
const [old, next] = [newKey('old'), newKey('next')]
const opened: PersonalKeys[] = []

function openKeys(...entries: string[]): PersonalKeys {
  const keys = openPersonalKeys(databaseUrl, ringOf(...entries))
  opened.push(keys)
  return keys
}

/** The data converter of a new process with these keys, the first one encrypts. */
const converter = (...entries: string[]) => createDataConverter(ringOf(...entries), openKeys(...entries))

// Before the hooks of the world, since hooks run in reverse.
afterAll(async () => {
  for (const keys of opened) await keys.close()
  remove()
})

// After step 1 of the page: all processes have the new key at the end of the ring.
const world = useWorld({ service: { databaseUrl }, dataConverter: converter(old, next) })

async function onboard(emailAddress: string): Promise<string> {
  const caseNo = world.newCase(0)
  const request = { emailAddress, firstName: 'Kim', lastName: 'Keeper', pickUpPointUid: 'pup-1' }
  await world.flows.start('onboardAccount', { caseNo, request })
  expect(await world.flows.result(caseNo)).toMatchObject({ kind: 'Ended', result: { firstName: 'Kim', emailAddress } })
  return caseNo
}

/** The entries about replaced keys in the audit log of the service. */
async function rotations() {
  const log = await openAuditLog(databaseUrl)
  const found = []
  for await (const { action, actor, subject, detail } of log.read({}))
    if (action === 'key.rotated') found.push({ actor, subject, detail })
  await log.close()
  return found
}

test('the ring rotates while flows run: none fails, and all histories and personal fields stay readable', {
  timeout: 300_000,
}, async () => {
  const emailAddress = `kim-${randomUUID()}@home.example`
  const ended = await onboard(emailAddress)
  const waiting = await book(world, 'issue')
  let isOver = false
  let count = 0
  async function load(): Promise<void> {
    while (!isOver) {
      const { caseNo } = await book(world, 'issue')
      expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled' })
      await onboard(`robin-${randomUUID()}@home.example`)
      count++
    }
  }
  const loads = [load(), load()]
  const progress = (more = 2, wanted = count + more) =>
    Promise.race([eventually(() => count >= wanted, 120_000), ...loads])

  await progress()
  const dataConverter = converter(next, old)
  await world.restartWorker({ dataConverter })
  await progress()
  await world.restartGateway({ dataConverter })
  await progress()

  // Without the old key, the keys of persons from before cannot be used yet.
  await expect(openKeys(next).keyFor({ emailAddress })).rejects.toThrow('must contain the key old')
  const stores = { LOCKERFLOW_PERSONAL_KEYS_URL: databaseUrl, LOCKERFLOW_DATABASE_URL: databaseUrl }
  const variables = { LOCKERFLOW_CODEC_KEYS: `${next},${old}`, ...stores }
  const reseal = () => runBlock(readBlocks('how-to/encrypt-histories.md'), 'reseal', variables, folder)
  expect(await reseal()).toMatch(/^(1 key|[1-9]\d* keys) of persons encrypted again/)
  expect(await rotations()).toEqual([{ actor: 'operator', subject: 'next', detail: 'personal' }])
  await progress()
  isOver = true
  await Promise.all(loads)

  const { id } = (await openKeys(next, old).keyFor({ emailAddress })) ?? {}
  expect(await openKeys(next).keyFor({ emailAddress })).toMatchObject({ id })
  const historyOf = (caseNo: string) => world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  expect(keyIdsOf(payloadsIn(await historyOf(ended)))).toEqual(['old'])
  expect(await world.flows.cancel(waiting.caseNo, 'over')).toMatchObject({ kind: 'Cancelled' })
  await world.flows.result(waiting.caseNo)
  expect(keyIdsOf(payloadsIn(await historyOf(waiting.caseNo)))).toEqual(['next', 'old'])
})
