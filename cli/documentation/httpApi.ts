import { accessScope, type Operation, operations, tokenPath } from '#contract'
import { generated, table } from './markdown.ts'
import { type JsonSchema, readOpenApi, resolve, toProperties, typeName } from './openApi.ts'

/** docs/reference/http-api.md: every operation with its fields, refusals and an example. */
export function httpApiPage(): string {
  const all = Object.values<Operation>(operations)
  const groups = Map.groupBy(all, ({ path }) => path.split('/')[2] ?? '')
  return `${[
    generated,
    introduction,
    ...[...groups].flatMap(([group, members]) => [
      `## ${group}`,
      table(['operation', 'purpose'], members.map(overviewRow)),
      ...members.map(section),
    ]),
  ].join('\n\n')}\n`
}

const introduction = `# The HTTP interface

Every operation is a POST with a JSON body to the path given below, with the header \`Authorization: Bearer …\`. A running
service publishes the same as an OpenAPI 3.1 document at \`/openapi.json\` and as an interactive page at \`/docs\`, both
without a token. [openapi.json](openapi.json) is the document of a staging service.

| | |
|---|---|
| token | \`POST ${tokenPath}\` with \`grant_type=client_credentials\`, \`client_id\`, \`client_secret\` and \`scope=${accessScope}\`; credentials are also accepted by HTTP Basic |
| envelope | each response has \`success\`, \`error\` (a code of [errors.md](errors.md)) and \`message\` besides its own fields |
| status | 200 for a success and for a refusal; see [errors.md](errors.md) for the others |
| casing | request keys are accepted in any casing |
| unknown fields | are ignored, including a misspelled optional one |
| encoding | JSON in UTF-8, at most 256 KiB, without \`Content-Encoding\` |
| examples | the uids of users, shipments and objects are placeholders for those of earlier responses; \`pup-1\` is in the demonstration topology |
| empty texts | \`""\` for an optional text is null |
| idempotency | operations marked *create* accept \`Idempotency-Key\` |
| callbacks | [callbacks](shipments.md#callbacks) |

Some rules are not in the schemas: fields that belong together (first and last name, the parts of an address, sender and
receiver) and assigned country codes. A request that breaks one is an \`InvalidRequest\` that names the fields.`

function overviewRow({ name, summary, stagingOnly }: Operation): string[] {
  return [`[${name}](#${name.toLowerCase()})`, stagingOnly ? `${summary} Staging only.` : summary]
}

function section({ name, path, summary, effect, errors, stagingOnly, upload }: Operation): string {
  const request = readOpenApi().paths[path]?.post
  const content = request?.requestBody.content[upload ? 'multipart/form-data' : 'application/json']
  const answers = request?.responses['200']?.content?.['application/json']
  const answer = answers && resolve(answers.schema)
  const success = answer?.oneOf?.at(-1) ?? answer
  const fields = upload ? content && resolve(content.schema).properties?.data : content?.schema
  return [
    `### ${name}`,
    `${summary} ${effectName[effect]}${stagingOnly ? ' Does not exist in production.' : ''}`,
    fenced('http', `POST ${path}`),
    fieldTable('request', fields),
    fieldTable('response', success, ['success', 'error', 'message']),
    `Refusals: ${errors.map(code => `[\`${code}\`](errors.md#${code.toLowerCase()})`).join(', ') || 'none'}.`,
    fenced('json', JSON.stringify(content?.examples?.request?.value, null, 2)),
    fenced('json', JSON.stringify(answers?.examples?.success?.value, null, 2)),
  ].join('\n\n')
}

const effectName = {
  create: '*Create*: accepts `Idempotency-Key`.',
  change: '*Change*.',
  read: '*Read*.',
} as const

function fieldTable(title: string, schema: JsonSchema | undefined, omitted: readonly string[] = []): string {
  const rows = fieldRows(schema, '').filter(([name = '']) => !omitted.includes(name.replaceAll('`', '')))
  return rows.length === 0 ? `The ${title} has no fields of its own.` : table([`${title} field`, 'type', ''], rows)
}

/** A row for each field, those of inner objects too. */
function fieldRows(schema: JsonSchema | undefined, above: string): string[][] {
  const { properties = {}, required = [] } = toProperties(schema)
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = above + name
    const inner = fieldRows(field, `${path}${resolve(field).type === 'array' ? '[]' : ''}.`)
    const remarks = [required.includes(name) ? 'required' : '', field.description ?? '']
    return [[`\`${path}\``, typeName(field), remarks.filter(Boolean).join(': ')], ...inner]
  })
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}
