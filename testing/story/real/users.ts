import type { Api } from '#contract/client'
import { createValues, type RequestValues, type StartedStory } from '#testing/story'
import { createItem, createUser } from '#testing/story/people'

/** The users of the stories that a target tells, by their number. */
export type Users = Map<number, string>

/** What exists before a story, and the values of its placeholders. */
export interface Prepared {
  /** The uids of the shipments, by name. */
  readonly items: ReadonlyMap<string, string>
  readonly values: RequestValues
}

export interface Preparation {
  readonly api: Api
  readonly users: Users
  readonly pickUpPoints: readonly { readonly pupUid: string }[]
  readonly caseNo: string
  /** Milliseconds since 1970. */
  now(): Promise<number>
  readonly scale: number
}

/** Creates the users that a story names, the first one, and the shipments that exist before it. The story starts then. */
export async function prepare(
  story: StartedStory,
  { api, users, pickUpPoints, caseNo, now, scale }: Preparation,
): Promise<Prepared> {
  const items = new Map<string, string>()
  const named = [...JSON.stringify(story).matchAll(/"\$user":(\d+)/g)].map(([, number]) => Number(number))
  const [pickUpPoint] = pickUpPoints
  for (const number of new Set([1, ...named])) {
    if (!users.has(number)) users.set(number, await createUser(api, number, pickUpPoint?.pupUid ?? ''))
  }
  const things = { scale, users, pickUpPoints, items }
  for (const [name, kind] of Object.entries(story.before ?? {})) {
    items.set(name, await createItem(api, `${caseNo}-${name}`, kind, createValues({ ...things, start: 0 })))
  }
  return { items, values: createValues({ ...things, start: await now() }) }
}
