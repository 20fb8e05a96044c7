import type { Service } from '#service'

/**
 * Holds the store's one writer, so that calls wait in the middle of their way.
 * @returns once it is held: what lets it go
 */
export async function holdStore({ store }: Pick<Service, 'store'>): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = store.transaction().execute(async () => {
    held.resolve()
    await released.promise
  })
  await held.promise
  return () => {
    released.resolve()
    return ended
  }
}
