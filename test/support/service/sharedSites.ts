import { afterAll, expect, onTestFailed } from 'vitest'
import { takeOutOfService } from './checks/checks.ts'
import { openSite, type Site } from './site.ts'
import type { Step } from './steps.ts'

/** The state of a site before a test. */
export interface Before {
  /** The preceding steps, all of which succeed. */
  readonly before: readonly Step[]
  /** The pick up point is out of service. */
  readonly broken?: true
}

const keyOf = ({ before, broken }: Before) => JSON.stringify([before, broken])

/** Brings tests of the same state together. */
export function byState<Row extends Before>(rows: readonly Row[]): Row[] {
  return [...Map.groupBy(rows, keyOf).values()].flat()
}

/**
 * Sites for tests that change nothing: successive tests of the same state share one. Starting a site takes longer than a
 * refusal and its checks.
 */
export function useSharedSites(): (state: Before) => Promise<Site> {
  let open: { readonly key: string; readonly site: Promise<Site> } | undefined

  async function close(): Promise<void> {
    const closing = open
    open = undefined
    await closing?.site.then(
      site => site.stop(),
      () => undefined,
    )
  }

  afterAll(close)

  return async state => {
    // A failed test may have changed it.
    onTestFailed(close)
    const key = keyOf(state)
    if (open?.key !== key) {
      await close()
      open = { key, site: startAt(state) }
    }
    return open.site
  }
}

async function startAt({ before, broken }: Before): Promise<Site> {
  const site = await openSite()
  for (const step of before) expect((await site.run(step)).body.error).toBeNull()
  if (broken) await takeOutOfService(site)
  return site
}
