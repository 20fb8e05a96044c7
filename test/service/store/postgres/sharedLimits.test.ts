import { expect, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { startServices } from '../../../support/servers/serviceProcesses.ts'
import { signInWith } from '../../../support/service/registry.ts'
import { temporaryStore } from '../../../support/service/temporaryStore.ts'

test('wrong secrets are counted over all processes, and lock the client out at each', async () => {
  const all = await startServices(2, await temporaryStore())
  const tries = Array.from({ length: 20 }, (_, at) => all[at % 2]).flatMap(service => service ?? [])
  const wrong = await Promise.all(tries.map(service => signInWith(service, 'acme', 'wrong')))
  expect(wrong.filter(({ status }) => status === 401)).toHaveLength(5)
  for (const service of all) expect((await signInWith(service, 'acme', 'acme-secret')).status).toBe(429)
})

test('requests at one process use up the rate limit of the others', async () => {
  const now = Date.now()
  // Bursts of twenty, by a clock that stands still.
  const [first, second] = await startServices(2, await temporaryStore(), { rateLimit: 10, clock: () => now })
  if (first === undefined || second === undefined) throw new Error('there are no services')
  const tokens = [await first.token(), await second.token(), await second.token('globex')]
  const statusOf = async (at: number) =>
    (await (at === 0 ? first : second).call('GetPickUpPoints', {}, { token: tokens[at] ?? '' })).status
  for (let request = 0; request < 20; request++) expect(await statusOf(0)).toBe(200)
  expect(await statusOf(0)).toBe(429)
  const bucket = first.store.selectFrom('rate_buckets').where('client_id', '=', 'acme').select('tokens')
  const left = async () => (await bucket.executeTakeFirst())?.tokens
  await eventually(async () => (await left()) === 0)
  let accepted = 0
  await eventually(async () => {
    const status = await statusOf(1)
    if (status === 200) accepted++
    return status === 429
  })
  expect(accepted).toBeLessThan(20)
  expect(await statusOf(2)).toBe(200)
})
