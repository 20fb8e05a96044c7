import { generated, table } from '../../cli/documentation/markdown.ts'
import { readDecisions } from '../support/project/decisions.ts'
import { parts, refusals } from './rules/index.ts'

const decisions = readDecisions()

/** The text of docs/reference/conformance.md: each rule with its tests. */
export function conformancePage(): string {
  const rules = Object.values(parts).flat()
  const open = rules.filter(rule => rule.open !== undefined)
  const codes = Object.entries(refusals).flatMap(([operation, held]) =>
    Object.entries(held).map(([code, test]) => [operation, `\`${code}\``, shown(test)]),
  )
  return [
    generated,
    '# Conformance',
    'Every rule of the interface specification and of the [decisions](../explanation/decisions/README.md), with the tests' +
      ' that check it: the file below `test/`, then the titles as in the source, with `…` for a placeholder.' +
      ' The title of a group stands for all of its tests.',
    `${rules.length} rules, ${open.length} of them without a complete test, and ${codes.length} refusals.`,
    ...Object.entries(parts).flatMap(([name, rows]) => [
      `## ${name}`,
      table(
        ['section', 'rule', 'tests'],
        rows.map(({ section, rule, heldBy, open }) => [
          linked(section),
          rule,
          [...heldBy.map(shown), ...(open === undefined ? [] : [`**Open:** ${open}`])].join('<br>'),
        ]),
      ),
    ]),
    '## Refusals',
    'Every refusal of every operation, and the test that produces it.',
    table(['operation', 'code', 'test'], codes),
  ]
    .join('\n\n')
    .concat('\n')
}

/** The section of a rule. For a decision it is a link. */
function linked(section: string): string {
  const { id, page } = decisions.find(({ id, title }) => section === `${id} ${title}`) ?? {}
  if (id === undefined || page === undefined) return section
  return `[${id}](../${page.replace('docs/', '')}#${id.toLowerCase()})${section.slice(id.length)}`
}

/** A test as Markdown code without the folder `test/`, or the reason why there is no test. */
function shown(test: string): string {
  return test.startsWith('open: ') ? `**Open:** ${test.slice(6)}` : `\`${test.replace(/^test\//, '')}\``
}
