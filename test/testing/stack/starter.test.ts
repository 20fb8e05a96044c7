import { expect, test } from 'vitest'
import { createStarter } from '../../../testing/stack/starter.ts'

test('a part that does not stop keeps no other one from being stopped, and is named by the error', async () => {
  const starter = createStarter(() => undefined)
  const stopped: string[] = []
  for (const name of ['server', 'service', 'worker']) {
    await starter.start(name, Promise.resolve(name), async part => {
      stopped.push(part)
      if (part !== 'server') throw new Error(`The ${part} did not stop.`)
    })
  }
  await expect(starter.stop()).rejects.toThrow('The worker did not stop.')
  expect(stopped).toEqual(['worker', 'service', 'server'])
  await starter.stop()
})
