import { readFileSync } from 'node:fs'

const page = readFileSync(new URL('../../../docs/how-to/look-after-flows.md', import.meta.url), 'utf8')

/** The queries of docs/how-to/look-after-flows.md, by description. */
const documentedQueries: ReadonlyMap<string, string> = new Map(
  [...page.matchAll(/^\| ([^|]+) \| `([^`]+)` \|$/gm)].map(([, what = '', query = '']) => [what, query]),
)

/** The documented query of this name, with the example values of the page replaced by those of a test. */
export function queryFor(what: string, values: Readonly<Record<string, string>> = {}): string {
  const query = documentedQueries.get(what)
  if (query === undefined) throw new Error(`docs/how-to/look-after-flows.md has no query "${what}"`)
  return Object.entries(values).reduce((text, [example, value]) => {
    if (!text.includes(`'${example}'`)) throw new Error(`the query "${what}" has no '${example}'`)
    return text.replace(`'${example}'`, `'${value}'`)
  }, query)
}
