import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkFlows } from '#declarations'
import { root } from '../project/sources.ts'

const page = readFileSync(join(root, 'docs/how-to/declare-a-flow.md'), 'utf8')
const [, text = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []

test('the declaration of the page has no fault', () => {
  expect(checkFlows([parse(text)], { activities: ['orderPart'] })).toEqual([])
})

test('the fault of the page is that of the declaration without the condition', () => {
  const [fault] = checkFlows([parse(text.replace(/ +when:.*\n/, ''))])
  expect(page).toContain(`${fault?.message} [${fault?.code}] See ${fault?.docs}.`)
})
