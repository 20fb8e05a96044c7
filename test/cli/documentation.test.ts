import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { errorGuide, type Operation, operations } from '#contract'
import { errors, processErrors } from '#contract/terms'
import { notificationTypes } from '#flows'
import * as messages from '#flows/messages'
import { pages } from '../../cli/documentation/index.ts'
import { linesIn } from '../../cli/documentation/logLines.ts'

test.each(Object.entries(pages))('docs/%s matches the code; npm run docs writes it', async (name, page) => {
  expect(await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')).toBe(await page())
})

test('every error has a cause and a remedy', () => {
  expect(Object.keys(errorGuide).toSorted()).toEqual(Object.keys({ ...errors, ...processErrors }).toSorted())
})

test('the page on the HTTP interface has every field of every request', async () => {
  const page = String(await pages['reference/http-api.md']?.())
  const sections = new Map(page.split(/^### /m).map(section => [section.split('\n')[0], section]))
  const missing = Object.values<Operation>(operations).flatMap(({ name, request }) =>
    Object.keys(request.shape).filter(field => !sections.get(name)?.includes(`| \`${field}\` |`)),
  )
  expect(missing).toEqual([])
})

test('the page on flows has every message and every notification', async () => {
  const page = String(await pages['reference/flows.md']?.())
  const rows = [
    ...Object.values(messages).map(({ type, name }) => `| ${type} \`${name}\` |`),
    ...notificationTypes.map(type => `| \`${type}\` |`),
  ]
  expect(rows.filter(row => !page.includes(row))).toEqual([])
})

test('the page on settings shows defaults as one would set them', async () => {
  const page = String(await pages['reference/settings.md']?.())
  const rows = page.split('\n').filter(line => line.startsWith('| `'))
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter(row => /NaN|undefined|\[object/.test(row))).toEqual([])
  const defaultOf = (name: string) => rows.find(row => row.startsWith(`| \`${name}\``))?.split(' | ')[3]
  // One is read as a text, and the other in milliseconds.
  expect(defaultOf('LOCKERFLOW_DECISION_LINKS_LIFETIME')).toBe('`3d`')
  expect(defaultOf('LOCKERFLOW_KEEP_AUDIT')).toBe('`365d`')
})

test('a log line is found with its fields', () => {
  expect(
    linesIn(
      "log.warn(\n  { logId: 'x-y', a, b: c.d },\n  'first',\n)\nlog.info('second')\nlog[level]({ ...e, f }, 'third')",
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
