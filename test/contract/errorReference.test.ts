import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorGuide, failed } from '#contract'
import { businessErrors, type ErrorCode, errorReference, withoutFile, withReference } from '#contract/terms'
import { root } from '../project/sources.ts'
import { anchorsOf } from '../support/project/markdown.ts'

describe('the address of a code', () => {
  test.each(Object.keys(errorGuide))('%s resolves to its heading', code => {
    const [, page = '', anchor = ''] = /^See ([\w/.]+)#(\w+)\.$/.exec(errorReference(code)) ?? []
    expect(anchorsOf(page)).toContain(anchor)
    expect(readFileSync(join(root, page), 'utf8')).toMatch(new RegExp(`^### ${code}$`, 'm'))
  })

  test.each(['OfAnotherService', '', 'toString'])('%j has none', code => {
    expect(withReference(code, 'text')).toBe('text')
  })
})

test.each([
  ['The flow has ended.', 'The flow has ended. See docs/reference/errors.md#flowended.'],
  ['caseNo is missing', 'caseNo is missing. See docs/reference/errors.md#flowended.'],
  ['Nothing was sent. (HTTP 500)', 'Nothing was sent. (HTTP 500) See docs/reference/errors.md#flowended.'],
])('%s: the address is the last sentence, once', (message, expected) => {
  expect(withReference('FlowEnded', message)).toBe(expected)
  expect(withReference('FlowEnded', expected)).toBe(expected)
  expect(withReference('BookingGivenUp', expected)).toBe(expected)
})

test.each(Object.keys(businessErrors) as ErrorCode[])(
  'a response with %s has no address of a file, and that of a public page if the code is our own',
  code => {
    expect(failed(code, 'Text.').message).toBe('Text.')
    const published = `Text. See https://lockerflow.example/docs/reference/errors.md#${code.toLowerCase()}.`
    expect(failed(code, published).message).toBe(published)
  },
)

test.each(['docs/reference/errors.md', 'node_modules/lockerflow/errors.md'])('%s is the address of a file', page => {
  expect(withoutFile(`Text. See ${page}#flowended.`)).toBe('Text.')
  expect(withoutFile(`It failed: Text. See ${page}#flowended. (HTTP 500)`)).toBe('It failed: Text. (HTTP 500)')
})
