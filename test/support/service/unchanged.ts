import { expect } from 'vitest'
import type { Site } from './site.ts'
import { expectSound } from './soundness.ts'

/** What is refused changes nothing that can be seen, and announces nothing. */
export async function expectNothing(site: Site, refuse: () => Promise<void>): Promise<void> {
  const before = await expectSound(site.world)
  await site.announced()
  await refuse()
  expect(await expectSound(site.world)).toEqual(before)
  expect(await site.announced()).toEqual([])
}
