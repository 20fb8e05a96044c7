import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { largest } from './pictures.ts'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))

test('docs/how-to/look-after-flows.md shows exactly the existing pictures', () => {
  const page = readFileSync(`${docs}how-to/look-after-flows.md`, 'utf8')
  const shown = [...page.matchAll(/!\[[^\]]+\]\(\.\.\/images\/([\w-]+\.png)\)/g)].map(([, name]) => name)
  expect(shown.length).toBeGreaterThan(0)
  expect(readdirSync(`${docs}images`).sort()).toEqual(shown.sort())
  for (const name of shown) expect(statSync(`${docs}images/${name}`).size).toBeLessThanOrEqual(largest)
})
