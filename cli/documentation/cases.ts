import { caseFaultCodes, casesSchema } from '#testing/cases'
import { generated, table } from './markdown.ts'
import { fieldsOf, type Schema } from './schema.ts'

const root = casesSchema() as Schema & { readonly $defs: Readonly<Record<string, Schema>> }

/** docs/reference/cases.schema.json: the form for editors. */
export function casesSchemaFile(): string {
  return `${JSON.stringify(root, null, 2)}\n`
}

const parts = ['Fail', 'Expect', 'Ends']

/** docs/reference/cases.md: the form of test cases, from its schema. */
export function casesPage(): string {
  const words = Object.entries(root.$defs).filter(([name]) => name.endsWith('Word'))
  return `${[
    generated,
    introduction,
    // The union of all words would fill the table.
    fieldsOf(root.$defs.Case, root.$defs).replace(
      /list of (\[\w+Word\]\(#\w+\)( or )?)+/,
      'list of [words](#words-of-a-story)',
    ),
    ...['Before', 'Runs'].flatMap(part => [`### ${part}`, root.$defs[part]?.description ?? '']),
    '## Words of a story',
    table(
      ['word', 'with', 'meaning'],
      words.map(([, { properties = {}, description = '' }]) => {
        const [word = '', ...fields] = Object.keys(properties)
        return [`\`${word}\``, fields.map(field => `\`${field}\``).join(', '), description]
      }),
    ),
    ...parts.flatMap(part => [
      `### ${part}`,
      ...(root.$defs[part]?.description ? [root.$defs[part].description] : []),
      fieldsOf(root.$defs[part], root.$defs),
    ]),
    placeholders,
    '## Faults',
    table(
      ['code', 'meaning'],
      Object.entries(caseFaultCodes).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
  ].join('\n\n')}\n`
}

const introduction = `# Test cases of a flow

A file of test cases is YAML or JSON: one case, or a list of cases, in each document. Editors read the same form as JSON Schema:
[cases.schema.json](cases.schema.json). A file for \`lockerflow flows simulate --story\` has \`story\`, \`before\` and \`runs\` only, or is
the list of words alone.

## The case`

const placeholders = `## Values of a request, an answer or a result

They stand in \`request\`, in the \`fields\` of an answer, in what an activity \`returns\`, and in the \`outputs\` of the end.

| object | stands for |
|---|---|
| \`{ $user: 1 }\` | the uid of the user with this number |
| \`{ $pup: 1 }\` | the uid of the pick up point with this number |
| \`{ $in: 10d }\` | the time this long after the start of the case |
| \`{ $item: drill }\` | the uid of the shipment that \`before\` describes under this name |
| \`{ $example: CreateLocalShipment, Field: value }\` | the example request of an operation, with other values for some fields |`
