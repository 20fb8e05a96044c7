import { generated, table } from '../../cli/documentation/markdown.ts'
import { parts, refusals } from './rules/index.ts'

/** docs/conformance.md: what is said, and the test that holds it. */
export function conformancePage(): string {
  const rules = Object.values(parts).flat()
  const open = rules.filter(rule => rule.open !== undefined)
  const codes = Object.entries(refusals).flatMap(([operation, held]) =>
    Object.entries(held).map(([code, test]) => [operation, `\`${code}\``, shown(test)]),
  )
  return [
    '# Conformance',
    generated,
    'What the interface specification says, and what [decisions.md](decisions.md) adds, rule by rule, each with the tests' +
      ' that hold it: the file below `test/`, then the titles as they are written there, `…` for what is filled in.' +
      ' A title of a group stands for all tests of the group.',
    `${rules.length} rules, ${open.length} of them open in whole or in part; ${codes.length} refusals.`,
    ...Object.entries(parts).flatMap(([name, rows]) => [
      `## ${name}`,
      table(
        ['section', 'rule', 'held by'],
        rows.map(({ section, rule, heldBy, open }) => [
          section,
          rule,
          [...heldBy.map(shown), ...(open === undefined ? [] : [`**Open:** ${open}`])].join('<br>'),
        ]),
      ),
    ]),
    '## Refusals',
    'Every code with which an operation refuses, and the test in which it does.',
    table(['operation', 'code', 'held by'], codes),
  ]
    .join('\n\n')
    .concat('\n')
}

/** A test as code, without the folder that all are in; or why there is none. */
function shown(test: string): string {
  return test.startsWith('open: ') ? `**Open:** ${test.slice(6)}` : `\`${test.replace(/^test\//, '')}\``
}
