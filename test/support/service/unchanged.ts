import { expect } from 'vitest'
import type { Site } from './site.ts'
import { expectSound } from './soundness.ts'

/** Asserts that a refused request changes no visible field, and sends no callback. */
export async function expectNothing(site: Site, refuse: () => Promise<void>): Promise<void> {
  const before = await expectSound(site.world)
  await site.callbacks()
  await refuse()
  expect(await expectSound(site.world)).toEqual(before)
  expect(await site.callbacks()).toEqual([])
}
