import { readFileSync } from 'node:fs'
import { flows } from '#flows'
import { flowApiDocument, flowApiOperations, statusByKind, statusByProblem, watchOperation } from '#gateway'
import { table } from './markdown.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** docs/reference/flows-openapi.json: flows over HTTP, with the built-in flows. */
export function flowsOpenApiFile(): string {
  const document = flowApiDocument({ url: 'http://127.0.0.1:8085', version, flows: Object.keys(flows) })
  return `${JSON.stringify(document, null, 2)}\n`
}

/** Section of docs/reference/flows.md: the routes of the flow API. */
export function flowsOverHttp(): string {
  const operations = [...flowApiOperations, watchOperation].map(
    ({ name, method, path, scope, kinds }) =>
      `| \`${method} ${path}\` | \`${name}\` | \`${scope}\` | ${kinds.map(kind => `${kind} ${statusByKind[kind]}`).join(', ')} |`,
  )
  const summaries = [...flowApiOperations, watchOperation].map(({ name, summary }) => `- **${name}**: ${summary}`)
  const problems = table(
    ['code', 'status'],
    [...statusByProblem].map(([code, status]) => [`[\`${code}\`](errors.md#${code.toLowerCase()})`, String(status)]),
  )
  return `## Flows over HTTP

The second listener of the gateway. [Call flows](../how-to/call-flows.md#open-the-flow-api) shows how to open it and call it.
[flows-openapi.json](flows-openapi.json) is its OpenAPI document with every field, which it serves at \`/openapi.json\`, with a reference page at \`/docs\`.

| route | operation | scope | results with their status |
|---|---|---|---|
${operations.join('\n')}

${summaries.join('\n')}

\`key\` is the name of the flow in a start, and the case number in \`getFlow\`. \`GET /health/live\` and \`GET /health/ready\` need no
token.

### Results

A response is the result of the flow client, with its \`kind\`. With a status of 400 or higher, it is a problem (RFC 9457), of type
\`application/problem+json\`: \`type\`, \`title\`, \`status\` and \`detail\`, our \`code\` and \`message\`, the \`requestId\`, and the fields of
the result. A message names no file and no address of Temporal, which callers do not have.

| kind | status |
|---|---|
${Object.entries(statusByKind)
  .map(([kind, status]) => `| ${kind} | ${status} |`)
  .join('\n')}

### Problems without a kind

These are not results: the request or the token is invalid, or Temporal does not respond. A request that arrives too slowly is
408, one with an unknown \`Expect\` 417, and one with too large headers 431, all with \`InvalidRequest\`.

${problems}

### Events

\`GET /flows/{caseNo}/events\` is a stream of server-sent events until the flow has ended. \`event\` is the kind, \`data\` the item, and \`id\`
the cursor after it. \`Last-Event-ID\` continues there, in any gateway. The last event has the id \`end\`; a request with it gets 204. A
stream ends when its token expires.`
}
