import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { runClients } from '../../support/service/clientsCommand.ts'
import { signInWith, statusWith } from '../../support/service/registry.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { startTestService } from '../../support/service/testService.ts'

/** Processes of the client, each with a secret of its own. */
const processes = 6

test('a client secret is rotated by the command under load without a refused call', async () => {
  const databaseUrl = await temporaryStore()
  const service = await startTestService({ databaseUrl })
  onTestFinished(() => service.stop())
  const secrets = Array.from({ length: processes }, () => 'acme-secret')
  const seen = { statuses: new Set<number>(), rounds: 0, stopped: false }
  onTestFinished(() => {
    seen.stopped = true
  })
  const running = secrets.map(async (_, index) => {
    while (!seen.stopped) {
      const { status, body } = await signInWith(service, 'acme', secrets[index] ?? '')
      seen.statuses.add(status)
      if (status === 200) seen.statuses.add(await statusWith(service, String(body.access_token)))
      seen.rounds++
    }
  })
  const progress = (rounds = seen.rounds + 2 * processes) => eventually(() => seen.rounds >= rounds)

  await progress()
  const rotated = await runClients(databaseUrl, 'rotate', 'acme', '--json')
  expect(rotated).toMatchObject({ code: 0, complaint: '' })
  const { clientSecret } = JSON.parse(rotated.output) as { clientSecret: string }
  // Both secrets are in use while one process after the other is restarted with the new one.
  for (const index of secrets.keys()) {
    secrets[index] = clientSecret
    await progress()
  }
  seen.stopped = true
  await Promise.all(running)
  expect(seen.statuses).toEqual(new Set([200]))
  service.advance(86_400_000)
  expect((await signInWith(service, 'acme', 'acme-secret')).status).toBe(401)
})
