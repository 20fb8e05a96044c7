import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { logEvents } from '#platform/logs'
import { root } from '../project/sources.ts'
import { anchorsOf } from '../support/project/markdown.ts'

const page = 'docs/how-to/on-call.md'
const text = readFileSync(join(root, page), 'utf8')

/** The rows of a table by its head, each as the texts of its columns. */
function rowsOf(head: string): string[][] {
  const [, table = ''] = text.split(`| ${head} |\n`)
  const [, ...lines] = (table.split('\n\n')[0] ?? '').trimEnd().split('\n')
  return lines.map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  )
}

const alerts = rowsOf('alert or log id | event')
const reports = rowsOf('report | event')

/** The events that an operator must find from the first screen of the page. */
const topics = [
  ...['overdue case', 'failed flow', 'stuck callback', 'a locker breaks', 'secret leaked', 'tenant leaves'],
  ...[
    'person asks for erasure',
    'restore from backup',
    'PostgreSQL unavailable',
    'Temporal unavailable',
    'no worker polls',
  ],
]

describe('the tables of the page on call', () => {
  test('have rows', () => {
    expect(alerts.length).toBeGreaterThan(10)
    expect(reports.length).toBeGreaterThan(3)
  })

  test.each(topics)('lead to %s, which says what to do', topic => {
    const [, event = ''] = [...alerts, ...reports].find(([, cell = '']) => cell.includes(`[${topic}](`)) ?? []
    const [, file, anchor = ''] = /\]\(([\w-]+\.md)?#([\w-]+)\)/.exec(event.slice(event.indexOf(`[${topic}]`))) ?? []
    const target = file === undefined ? page : `docs/how-to/${file}`
    expect([...anchorsOf(target)]).toContain(anchor)
    if (file === undefined) expect(sectionOf(anchor)).toMatch(/\*\*Notice\.\*\*.*\*\*Meaning\.\*\*.*\*\*Do\.\*\*/s)
  })

  test('name log ids that exist', () => {
    const named = alerts.flatMap(([cell = '']) => [...cell.matchAll(/`([a-z][a-z-]+)`/g)].map(([, id = '']) => id))
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter(id => !Object.hasOwn(logEvents, id))).toEqual([])
    expect(new Set(named).size).toBe(named.length)
  })
})

/** The text of a section by its anchor. */
function sectionOf(anchor: string): string {
  const sections = text.split(/^## /m)
  return sections.find(section => section.split('\n')[0]?.toLowerCase().replaceAll(' ', '-') === anchor) ?? ''
}
