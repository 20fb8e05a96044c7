import { expect, test } from 'vitest'
import { readSources } from '../project/sources.ts'

/** A message about the verb, which follows its name, and messages that begin with one of another part. */
const others = [/^one of these verbs must follow\.$/, /^\$\{read\.message\} /, /^--\$\{error\.message\}$/]

/** The subject may be computed. A text that ends with the subject continues with a sentence of another part. */
const form = /^(--|[\w$])([\w{}.$ ,-]|\$\{[^}]*\})*: (must |\$\{)/

const messages = readSources('cli').flatMap(({ path, text }) =>
  [...text.matchAll(/(?:misuse\(\[?|CommandFailure\(\s*'InvalidArguments',)\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g)].map(
    ([, , message = '']) => ({ path, message }),
  ),
)

test('a message about an argument begins with it, a colon and must', () => {
  expect(messages.length).toBeGreaterThan(80)
  expect(messages.filter(({ message }) => ![form, ...others].some(each => each.test(message)))).toEqual([])
})

test('a message about an argument quotes its value', () => {
  const errors = readSources('service').flatMap(({ path, text }) =>
    [...text.matchAll(/ArgumentError\(\s*`([^`]*)`/g)].map(([, message = '']) => ({ path, message })),
  )
  const wrong = [/\band is \$\{/, /, not \$\{/, /\bfile, got \$\{/]
  expect(errors.length).toBeGreaterThan(3)
  expect([...messages, ...errors].filter(({ message }) => wrong.some(each => each.test(message)))).toEqual([])
})
