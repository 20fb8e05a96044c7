import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { errorGuide, type Operation, operations } from '#contract'
import { errors, processErrors } from '#contract/terms'
import { pages } from '../../cli/documentation/index.ts'
import { linesIn, logLines, logMeanings } from '../../cli/documentation/metricsAndLogs.ts'

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

test('every log line has a meaning, and every meaning a log line', () => {
  expect([...new Set(logLines().map(({ text }) => text))].toSorted()).toEqual(Object.keys(logMeanings).toSorted())
})

test('a log line is found with its fields', () => {
  expect(
    linesIn("log.warn(\n  { a, b: c.d },\n  'first',\n)\nlog.info('second')\nlog[level]({ ...e, f }, 'third')"),
  ).toEqual([
    { level: 'warn', text: 'first', fields: ['a', 'b'] },
    { level: 'by outcome', text: 'third', fields: ['f'] },
    { level: 'info', text: 'second', fields: [] },
  ])
})
