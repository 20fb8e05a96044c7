import { errorGuide } from '#contract'
import {
  businessErrors,
  callErrors,
  clientErrors,
  type DocumentedCode,
  flowErrors,
  processErrors,
  requestErrors,
} from '#contract/terms'
import { generated, table } from './markdown.ts'

interface Group {
  readonly title: string
  readonly about: string
  readonly codes: Readonly<Record<string, { readonly meaning: string }>>
  /** The HTTP status of each code. Absent if the status of a response depends on the call that failed. */
  readonly statuses?: Readonly<Record<string, { readonly status: number }>>
}

const groups: readonly Group[] = [
  {
    title: 'Errors of a request',
    about: 'Any operation can return these. The HTTP status says whether a retry can help.',
    codes: requestErrors,
    statuses: requestErrors,
  },
  {
    title: 'Refusals',
    about: 'HTTP 200 with `success: false`: the service understood the request and declined it. Do not retry.',
    codes: businessErrors,
    statuses: businessErrors,
  },
  {
    title: 'Errors of the client',
    about: 'Raised by the API client of workers and gateway, without a response of the service.',
    codes: clientErrors,
  },
  {
    title: 'Errors of flows',
    about:
      'The type of a failed flow or a rejected update. [Flows over HTTP](flows.md#flows-over-http) has the status of each result.',
    codes: flowErrors,
  },
  {
    title: 'Errors of a call to a flow',
    about:
      'Thrown by the flow client as `FlowCallError`, or part of a result that is not a success. [Flows over HTTP](flows.md#flows-over-http) has the status of each problem.',
    codes: callErrors,
  },
  {
    title: 'Errors of a process',
    about:
      'Printed by a process that does not start, or by a [command](command.md#exit-codes). The exit code tells the reason.',
    codes: processErrors,
  },
]

/** docs/reference/errors.md: meaning, cause and remedy of every code, with an anchor for each. */
export function errorsPage(): string {
  return `${[
    generated,
    '# Errors',
    introduction,
    ...groups.flatMap(({ title, about, codes, statuses }) => [
      `## ${title}`,
      about,
      overview(Object.keys(codes), statuses),
      ...Object.entries(codes).map(([code, { meaning }]) =>
        entry(code as DocumentedCode, meaning, statuses?.[code]?.status),
      ),
    ]),
  ].join('\n\n')}\n`
}

const introduction = `Every failure has a code from one table, \`contract/terms/errors.ts\`. A response of the service has it in
\`error\`, a result or a problem of the flow API in \`code\`, and a failed workflow in the type of its failure. Each code has an anchor:
\`errors.md#invalidrequest\`. A message ends with the address of its code's entry in a clone, in the installed package or on a
public page. Responses over HTTP have the address of a public page alone, and none for a code of the specification.`

function overview(codes: readonly string[], statuses: Group['statuses']): string {
  const links = codes.map(code => `[\`${code}\`](#${code.toLowerCase()})`)
  if (statuses === undefined) return links.map(link => `- ${link}`).join('\n')
  return table(
    ['code', 'status'],
    codes.map((code, index) => [links[index] ?? '', String(statuses[code]?.status)]),
  )
}

function entry(code: DocumentedCode, meaning: string, status: number | undefined): string {
  const { cause, remedy } = errorGuide[code]
  return [
    `### ${code}`,
    `${meaning}${status === undefined ? '' : ` Status ${status}.`}`,
    `- **Cause:** ${cause}\n- **What to do:** ${remedy}`,
  ].join('\n\n')
}
