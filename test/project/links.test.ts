import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorsOf, linksIn, markdownPages, proseOf, slugOf } from '../support/project/markdown.ts'
import { root } from './sources.ts'

const pages = markdownPages().filter(page => existsSync(join(root, page)))

test.each(pages)('every relative link of %s leads to a file, and its anchor to a heading', page => {
  const broken = linksIn(proseOf(page)).filter(link => !/^[a-z]+:/.test(link) && !resolves(page, link))
  expect(broken).toEqual([])
})

test('every page of docs/ can be reached from docs/README.md', () => {
  const reached = new Set<string>()
  const follow = (page: string) => {
    if (reached.has(page)) return
    reached.add(page)
    for (const link of linksIn(proseOf(page))) {
      const target = join(dirname(page), link.split('#')[0] ?? '')
      if (target.endsWith('.md') && existsSync(join(root, target))) follow(target)
    }
  }
  follow('docs/README.md')
  expect(pages.filter(page => page.startsWith('docs/') && !reached.has(page))).toEqual([])
})

describe('the anchor of a heading', () => {
  test.each([
    ['What to watch', 'what-to-watch'],
    ['`code` and, more', 'code-and-more'],
    ['Lost answers: 409', 'lost-answers-409'],
    ['[A link](there.md)', 'a-link'],
  ])('%s is %s', (heading, slug) => {
    expect(slugOf(heading)).toBe(slug)
  })
})

function resolves(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, target))) return false
  if (anchor === undefined) return true
  return statSync(join(root, target)).isFile() && target.endsWith('.md') && anchorsOf(target).has(anchor)
}
