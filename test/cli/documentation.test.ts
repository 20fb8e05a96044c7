import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pages } from '../../cli/documentation/index.ts'
import { linesIn } from '../../cli/documentation/logLines.ts'

/** Pages that people look things up in, and documents that programs read. */
const lookedUp = Object.entries(pages).filter(([name]) => /(settings|errors|command)\.md$|\.json$/.test(name))

test.each(lookedUp)('docs/%s matches the code; npm run docs writes it', async (name, page) => {
  expect(await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')).toBe(await page())
})

test('a log line is found with its fields', () => {
  expect(
    linesIn(
      "log.warn(\n  { logId: 'x-y', a, b: c.d },\n  'first',\n)\nlog.info('second')\nlog[level]({ ...e, f }, toText(logId, 'third'))",
    ),
  ).toEqual([
    { level: 'warn', logId: 'x-y', text: 'first', fields: ['a', 'b'] },
    { level: 'by outcome', logId: undefined, text: 'third', fields: ['f'] },
    { level: 'info', logId: undefined, text: 'second', fields: [] },
  ])
})

test('a log line has the fields of a constant that its call names or spreads', () => {
  const source =
    "const line = { a: b.c, d }\nlog.warn({ logId: 'x-y', ...line, e }, 'first')\nlog.info(line, 'second')\nconst all = {\n    f,\n    ...(g && { h }),\n  }\nlog.info(all, 'third')"
  expect(linesIn(source)).toEqual([
    { level: 'warn', logId: 'x-y', text: 'first', fields: ['a', 'd', 'e'] },
    { level: 'info', logId: undefined, text: 'second', fields: ['a', 'd'] },
    { level: 'info', logId: undefined, text: 'third', fields: ['f'] },
  ])
})
