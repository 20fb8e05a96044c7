import { afterEach, expect, inject, test, vi } from 'vitest'
import { freePorts } from '../../../testing/stack/ports.ts'
import { createStarter } from '../../../testing/stack/starter.ts'
import { useTemporal } from '../../../testing/stack/temporal.ts'

afterEach(() => void vi.unstubAllEnvs())

function use(address: string, progress: (line: string) => void = () => undefined) {
  vi.stubEnv('TEMPORAL_ADDRESS', address)
  return useTemporal(createStarter(progress), { folder: '/nowhere', progress }, freePorts, 0)
}

test('a stack uses the server of TEMPORAL_ADDRESS, says so, and starts none', async () => {
  const { address } = inject('temporal')
  const lines: string[] = []
  const used = await use(address, line => void lines.push(line))
  expect(used).toEqual({ address, namespace: 'default', uiUrl: undefined, isOwn: false })
  expect(lines).toEqual([`using Temporal at ${address}, which TEMPORAL_ADDRESS names`])
})

test('a wrong address is told with the name of its setting before anything starts', async () => {
  await expect(use('127.0.0.1:1')).rejects.toThrow(/^TEMPORAL_ADDRESS: Temporal cannot be reached at 127\.0\.0\.1:1: /)
})
