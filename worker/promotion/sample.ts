/** At most so many of the items, evenly spread over all of them. */
export function sampleOf<Item>(items: readonly Item[], most = Number.POSITIVE_INFINITY): Item[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as Item)
}
