import { stripTypeScriptTypes } from 'node:module'
import type { History } from '@temporalio/worker'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { createActivities } from '#activities'
import type { Api } from '#api'
import { fullProfile } from '#contract/terms'
import { isNode, readSources, walk } from '../../project/sources.ts'
import { readHistories } from '../../replay/histories.ts'
import { isWellNamed, type Named, namedIn } from '../../support/flows/summaries.ts'

/** The calls that start an activity, a timer or a child workflow, and the option with the summary. */
const naming = { proxy: 'summary', sleep: 'summary', startChild: 'staticSummary' }

const named = [...readHistories()].flatMap(([name, { history }]) =>
  namedIn(history as History).map(each => ({ ...each, in: name })),
)

function typesOf(kind: Named['kind']): string[] {
  return [...new Set(named.filter(each => each.kind === kind).map(({ type }) => type))]
}

test('in the recorded histories, every activity, timer and child workflow has a summary', () => {
  expect(named.filter(each => !isWellNamed(each))).toEqual([])
})

test('every activity of the worker is in a recorded history', () => {
  const settings = { profile: fullProfile, pollInterval: { initial: 1_000, maximum: 1_000 } }
  // Nothing is called.
  const activities = Object.keys(createActivities({} as Api, settings))
  const seen = typesOf('activity')
  expect(seen.toSorted()).toEqual(activities.toSorted())
})

test('so are timers, and the child workflows of notifications and late bookings', () => {
  expect(typesOf('timer')).toEqual(['timer'])
  expect(typesOf('child').toSorted()).toEqual(['notification', 'sweep'])
})

// A history keeps the summaries of its recording, so the source must be checked too.
test('every call in the workflows that starts one of them passes a summary', () => {
  const calls = readSources('workflows').flatMap(({ path, text }) =>
    [...walk(parseAst(stripTypeScriptTypes(text)))].flatMap(({ type, callee, arguments: given }) => {
      const name = type === 'CallExpression' && isNode(callee) ? String(callee.name) : ''
      if (!(name in naming)) return []
      return { path, name, options: optionsIn(given) }
    }),
  )
  expect(new Set(calls.map(({ name }) => name))).toEqual(new Set(Object.keys(naming)))
  const isNamed = ({ name, options }: (typeof calls)[number]) => options.includes(naming[name as keyof typeof naming])
  expect(calls.filter(call => !isNamed(call))).toEqual([])
})

test('activities are called through the table of proxies only', () => {
  const users = readSources('workflows').filter(({ text }) => /\bproxy(Local)?Activities\b/.test(text))
  expect(users.map(({ path }) => path)).toEqual(['workflows/activities.ts'])
  expect(users[0]?.text.match(/proxyActivities</g)).toHaveLength(1)
})

/** The names of the options that are written out in a call. */
function optionsIn(given: unknown): string[] {
  const objects = (given as unknown[]).filter(isNode).filter(({ type }) => type === 'ObjectExpression')
  return objects
    .flatMap(({ properties }) => properties as unknown[])
    .flatMap(property => (isNode(property) && isNode(property.key) ? String(property.key.name) : []))
}
