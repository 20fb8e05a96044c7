import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pages } from '../../cli/documentation/index.ts'

test.each(Object.entries(pages))('docs/%s is what the code says now; npm run docs writes it', async (name, page) => {
  expect(await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')).toBe(page())
})
