/** ` Did you mean "x"?` for the nearest of the names, if one is near. */
export function suggest(given: string, names: Iterable<string>): string {
  const nearest = findNearest(given, names)
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`
}

/** The name that the given one is a misspelling or a part of. */
export function findNearest(given: string, names: Iterable<string>): string | undefined {
  // Such a text is not a misspelling, and a comparison could take minutes.
  if (given.length > 100) return undefined
  const limit = Math.max(2, Math.floor(given.length / 3))
  const known = [...names]
  const ranked = known
    .map(name => ({ name, distance: distanceOf(given.toLowerCase(), name.toLowerCase()) }))
    // A name that shares less than half of its letters is not a misspelling.
    .filter(({ name, distance }) => distance <= limit && 2 * distance <= Math.max(given.length, name.length))
    .toSorted((a, b) => a.distance - b.distance)
  const longer = [...known].filter(name => isWithin(given, name)).toSorted((a, b) => a.length - b.length)
  return ranked[0]?.name ?? longer[0]
}

/** True if the name has the given letters in their order, as CreateLocalShipmentAsIssue has those of CreateIssue. */
function isWithin(given: string, name: string): boolean {
  let found = 0
  for (const letter of name.toLowerCase()) if (letter === given[found]?.toLowerCase()) found += 1
  return given.length >= 6 && found === given.length
}

/** Levenshtein's distance: the letters to insert, delete or replace. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (let place = 1; place <= other.length; place++) {
      const replaced = (row[place - 1] ?? 0) + (letter === other[place - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[place] ?? 0) + 1, (next[place - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
