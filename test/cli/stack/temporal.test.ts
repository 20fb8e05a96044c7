import { expect, test, vi } from 'vitest'
import { freePorts } from '../../../cli/stack/ports.ts'
import { createStarter } from '../../../cli/stack/starter.ts'
import { useTemporal } from '../../../cli/stack/temporal.ts'

test('a stack uses the server of TEMPORAL_ADDRESS, says so, and starts none', async () => {
  vi.stubEnv('TEMPORAL_ADDRESS', '127.0.0.1:1')
  try {
    const lines: string[] = []
    const progress = (line: string) => void lines.push(line)
    const used = await useTemporal(createStarter(progress), { folder: '/nowhere', progress }, freePorts, 0)
    expect(used).toEqual({ address: '127.0.0.1:1', namespace: 'default', uiUrl: undefined, isOwn: false })
    expect(lines).toEqual(['using Temporal at 127.0.0.1:1, which TEMPORAL_ADDRESS names'])
  } finally {
    vi.unstubAllEnvs()
  }
})
