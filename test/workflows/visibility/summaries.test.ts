import { stripTypeScriptTypes } from 'node:module'
import type { History } from '@temporalio/worker'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { createActivities } from '#activities'
import type { Api } from '#api'
import { fullProfile } from '#contract/terms'
import { isNode, readSources, walk } from '../project/sources.ts'
import { readHistories } from '../replay/histories.ts'
import { isWellNamed, type Named, namedIn } from './named.ts'

/** What a workflow calls for an activity, a timer or a child workflow, and which of its options is the summary. */
const naming = { proxyActivities: 'summary', sleep: 'summary', startChild: 'staticSummary' }

const named = [...readHistories()].flatMap(([name, { history }]) =>
  namedIn(history as History).map(each => ({ ...each, in: name })),
)

function typesOf(kind: Named['kind']): string[] {
  return [...new Set(named.filter(each => each.kind === kind).map(({ type }) => type))]
}

test('in the recorded histories, every activity, timer and child workflow says in words what it is for', () => {
  expect(named.filter(each => !isWellNamed(each))).toEqual([])
})

test('every activity of the worker is in a recorded history', () => {
  const settings = { profile: fullProfile, looks: { first: 1_000, longest: 1_000 } }
  // Nothing is called.
  const activities = Object.keys(createActivities({} as Api, settings))
  const seen = typesOf('activity')
  expect(seen.toSorted()).toEqual(activities.toSorted())
})

test('so are timers, and the child workflow of a notice', () => {
  expect(typesOf('timer')).toEqual(['timer'])
  expect(typesOf('child')).toEqual(['notice'])
})

// A history keeps what it was recorded with, so the code has to be asked, too.
test('every call in the workflows that makes one of them gives a summary', () => {
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

/** The names of the options that are written out in a call. */
function optionsIn(given: unknown): string[] {
  const objects = (given as unknown[]).filter(isNode).filter(({ type }) => type === 'ObjectExpression')
  return objects
    .flatMap(({ properties }) => properties as unknown[])
    .flatMap(property => (isNode(property) && isNode(property.key) ? String(property.key.name) : []))
}
