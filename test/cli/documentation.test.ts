import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pages } from '../../cli/documentation/index.ts'

/** Pages that people look things up in, and documents that programs read. */
const lookedUp = Object.entries(pages).filter(([name]) => /(settings|errors|command)\.md$|\.json$/.test(name))

test.each(lookedUp)('docs/%s matches the code; npm run docs writes it', async (name, page) => {
  expect(await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')).toBe(await page())
})
