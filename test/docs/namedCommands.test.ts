import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { groups, verbs } from '../../cli/verbs.ts'
import { root } from '../project/sources.ts'
import { markdownPages } from '../support/project/markdown.ts'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test('every command in a page exists', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...['operate', 'run-with-compose', 'upgrade'].map(howTo)]
  const named = pages.flatMap(page => [...readFileSync(join(root, page), 'utf8').matchAll(/npm run ([a-z:]+)/g)])
  expect(named.length).toBeGreaterThan(20)
  expect(named.map(([, name = '']) => name).filter(name => !(name in scripts))).toEqual([])
})

test('every verb in a page exists', () => {
  const pages = ['README.md', ...markdownPages().filter(page => page.startsWith('docs/'))]
  const named = pages.flatMap(page => {
    const text = readFileSync(join(root, page), 'utf8')
    return Array.from(text.matchAll(/(?:`|npx )lockerflow ([a-z]+)/g), ([, verb = '']) => ({ page, verb }))
  })
  const known = new Set([...verbs.map(({ name }) => name.split(' ')[0] ?? ''), ...Object.keys(groups)])
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(({ verb }) => !known.has(verb))).toEqual([])
})

test('every program in a page exists', () => {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(page =>
    page.endsWith('.md'),
  )
  const texts = pages.map(page => readFileSync(join(root, 'docs', page), 'utf8'))
  const named = texts.flatMap(text => [...text.matchAll(/node ([\w/]+\/\w+\.m?[tj]s)/g)])
  expect(named.length).toBeGreaterThan(3)
  expect(named.map(([, file = '']) => file).filter(file => !existsSync(join(root, file)))).toEqual([])
})

function howTo(name: string): string {
  return `docs/how-to/${name}.md`
}
