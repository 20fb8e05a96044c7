import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../project/sources.ts'
import { listFiles } from './files.ts'

/** Every Markdown page of the project. */
export function markdownPages(): string[] {
  return listFiles('*.md')
}

/** The text of a page without its code, in which brackets are not links. */
export function proseOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
    .replaceAll(/^ *(`{3,}).*?^ *\1$/gms, '')
    .replaceAll(/`[^`\n]*`/g, '`code`')
}

/** The addresses that a page links to, pictures included. */
export function linksIn(prose: string): string[] {
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

/** The anchors of a page as GitHub makes them: of its headings, and those that it sets itself. */
export function anchorsOf(path: string): Set<string> {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(/^ *(`{3,}).*?^ *\1$/gms, '')
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id))
  const counts = new Map<string, number>()
  for (const [, heading = ''] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = slugOf(heading)
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
  }
  return anchors
}

/** GitHub's anchor of a heading: lower case, spaces as hyphens, other punctuation dropped. */
export function slugOf(heading: string): string {
  return heading
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}
