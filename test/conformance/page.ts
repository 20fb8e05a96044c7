// The part of `npm run docs` that is made from the tests, which no other code may import.
import { writeFile } from 'node:fs/promises'
import { table } from '../../cli/documentation/markdown.ts'
import { readMentions } from './mentions.ts'
import { rules } from './rules.ts'

const mentions = readMentions()
const page = [
  '# Conformance',
  'Every rule of the interface specification, and the files with a test that names it in its title.',
  ...Object.entries(rules).flatMap(([section, rows]) => [
    `## ${section}`,
    table(
      ['id', 'rule', 'tests'],
      Object.entries(rows).map(([id, rule]) => [id, rule, (mentions.get(id) ?? ['**none**']).join('<br>')]),
    ),
  ]),
].join('\n\n')

await writeFile(new URL('../../docs/reference/conformance.md', import.meta.url), `${page}\n`)
console.log('docs/reference/conformance.md')
