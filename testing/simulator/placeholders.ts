import { createValues, type RequestValues } from '#testing/story'
import type { World } from './world.ts'

/** The values of the placeholders of a request, such as `{ $user: 1 }`. */
export interface Placeholders extends RequestValues {
  /** The shipments that exist before the flow, by name. */
  readonly items: Map<string, string>
}

/** @param start of the flow, in milliseconds since 1970 */
export function createPlaceholders({ users, topology: { pickUpPoints } }: World, start: number): Placeholders {
  const items = new Map<string, string>()
  return { ...createValues({ start, users, pickUpPoints, items }), items }
}
