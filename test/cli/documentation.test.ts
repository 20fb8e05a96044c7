import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { FlowCallError } from '#client'
import { errorGuide, type Operation, operations } from '#contract'
import { errors, processErrors } from '#contract/terms'
import { notificationTypes } from '#flows'
import * as messages from '#flows/messages'
import { pages } from '../../cli/documentation/index.ts'
import { linesIn } from '../../cli/documentation/logLines.ts'
import { toFlowApiError } from '../../gateway/flowApi/failures.ts'

test.each(Object.entries(pages))('docs/%s matches the code; npm run docs writes it', async (name, page) => {
  expect(await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')).toBe(await page())
})

test('every error has a cause and a remedy', () => {
  expect(Object.keys(errorGuide).toSorted()).toEqual(Object.keys({ ...errors, ...processErrors }).toSorted())
})

test('the page on errors has no HTTP status of errors that no response has by themselves', async () => {
  const page = String(await pages['reference/errors.md']?.())
  const sections = new Map(page.split(/^## /m).map(section => [section.split('\n')[0], section]))
  const titles = ['Errors of the client', 'Errors of flows', 'Errors of a call to a flow']
  expect(titles.filter(title => /Status \d|\| \d{3} \|/.test(sections.get(title) ?? 'Status 0'))).toEqual([])
  expect(sections.get('Errors of a request')).toContain('| [`Unavailable`](#unavailable) | 503 |')
})

test('the page on flows over HTTP has the status of every problem of the gateway', async () => {
  const page = String(await pages['reference/flows-over-http.md']?.())
  const rows = Array.from(page.matchAll(/^\| \[`(\w+)`\]\(errors\.md#\w+\) \| (\d+) \|$/gm), ([, code, status]) => [
    code,
    Number(status),
  ])
  const thrown: FlowCallError['code'][] = [
    ...(['NoWorkerPolls', 'TemporalUnreachable', 'TemporalDenied', 'TemporalLimitReached', 'TemporalFailed'] as const),
    ...(['DataNotConverted', 'NoResponseInTime', 'FlowEnded'] as const),
  ]
  const problems = thrown.map(code => toFlowApiError(new FlowCallError({ code, message: code }, undefined), 'R-1'))
  expect(rows).toEqual(expect.arrayContaining(problems.map(({ code, status }) => [code, status])))
  expect(rows).toEqual(
    expect.arrayContaining([
      ['InvalidRequest', 400],
      ['UnknownFlow', 404],
      ['MethodNotAllowed', 405],
    ]),
  )
})

test.each(['reference/declaration.md', 'reference/cases.md'])(
  'every field in the tables of %s has a meaning',
  async name => {
    const page = String(await pages[name]?.())
    expect(page.split('\n').filter(line => /^\| `\w+` \|.*\|\s*\|$/.test(line))).toEqual([])
  },
)

test.each(['reference/declaration.md', 'reference/cases.md'])(
  'every type in the tables of %s has a section',
  async name => {
    const page = String(await pages[name]?.())
    const rows = Array.from(page.matchAll(/^\| `\w+` \| (.+?) \| (?:yes)? \|/gm), ([, type = '']) => type)
    const names = rows.flatMap(type => type.replace(/`[^`]*`/g, '').match(/\[?\b(?!JSON)[A-Z]\w+/g) ?? [])
    const headings = new Set(Array.from(page.matchAll(/^### (\w+)$/gm), ([, heading]) => `[${heading}`))
    expect(rows.length).toBeGreaterThan(20)
    expect(names.filter(type => !headings.has(type))).toEqual([])
  },
)

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
  // The passwords of their examples are no defaults.
  for (const name of ['USERS', 'TOKENS', 'ORIGINS']) expect(defaultOf(`LOCKERFLOW_CODEC_${name}`)).toBe('')
  expect(defaultOf('LOCKERFLOW_SERVICE_PROFILE')).toBe('as in the example')
})

test('the page on settings has each default in the column of defaults', async () => {
  const page = String(await pages['reference/settings.md']?.())
  const rows = page.split('\n').filter(line => line.startsWith('| `'))
  expect(rows.filter(row => row.split(' | ')[2]?.includes('Default'))).toEqual([])
  const defaultOf = (name: string) => rows.find(row => row.startsWith(`| \`${name}\``))?.split(' | ')[3]
  expect(defaultOf('LOCKERFLOW_BODY_RATE')).toBe('8 in production, 0 (no limit) in staging')
  expect(defaultOf('LOCKERFLOW_CODEC_HOST')).toBe('all; loopback without LOCKERFLOW_ENVIRONMENT')
  expect(defaultOf('LOCKERFLOW_METRICS_PORT')).toBe('with that exporter: 9464')
  expect(defaultOf('LOCKERFLOW_PUBLIC_URL')).toBe(
    'in staging: the address that the service listens on; required in production',
  )
})

test('the page on settings explains each reader of a setting', async () => {
  const page = String(await pages['reference/settings.md']?.())
  const readers = Array.from(page.matchAll(/^\| `[A-Z].*?` \| ([\w ,]+) \|/gm), ([, names = '']) =>
    names.split(', '),
  ).flat()
  const explained = Array.from(page.matchAll(/^\| ([a-z ,]+) \| (?:the|`)/gm), ([, names = '']) =>
    names.split(', '),
  ).flat()
  expect(new Set(explained)).toEqual(new Set(readers))
})

test('each column of the page on the database has a meaning, if its name has none by itself', async () => {
  const page = String(await pages['reference/database.md']?.())
  const withoutMeaning = page.split('\n').filter(line => /^\| `\w+` \|.*\|\s*\|$/.test(line))
  const unclear = withoutMeaning.filter(line => !clearColumns.test(line))
  expect(unclear).toEqual([])
})

/** Names of things and people, fields of the HTTP interface, and moments of creation. */
const clearColumns =
  /`(\w+_(uid|id|uid_key)|\w*name|email|phone_number|language_code|street_n(ame|o)|mailbox|city|country_code|created_at|reference(_case)?_no|external_reference|description|time_zone|shipment_type|state_code)`/

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
