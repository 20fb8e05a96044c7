import { fileURLToPath } from 'node:url'
import type { z } from 'zod'

export const mustBeFileUrl = 'must be a file: URL, in whose path %, ? and # are written as %25, %3F and %23'

/** Refuses the `file:` or `postgres://` URL of a store that leads elsewhere than it says, or nowhere. */
export function checkStoreUrl(url: string, context: z.RefinementCtx): void {
  if (url.startsWith('file:')) {
    if (findStorePath(url) === undefined) context.addIssue(mustBeFileUrl)
  } else if (url.startsWith('postgres') && !URL.canParse(url)) {
    context.addIssue('must be a URL, in whose password characters such as / and # are written as %2F and %23')
  }
}

/** The relative or absolute path of a `file:` URL; undefined for a text that is none. */
export function findStorePath(url: string): string | undefined {
  // URL would drop a query and a fragment, so that two stores share a file. No path contains NUL.
  if (!/^file:[^?#]+$/.test(url) || url.includes('%00')) return undefined
  try {
    // URLs cannot express a relative path, so only the absolute form is parsed as one.
    return url.startsWith('file:/') ? fileURLToPath(url) : decodeURIComponent(url.slice('file:'.length))
  } catch {
    return undefined
  }
}
