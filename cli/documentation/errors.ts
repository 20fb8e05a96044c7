import { errorGuide } from '#contract'
import {
  businessErrors,
  callErrors,
  clientErrors,
  type DocumentedCode,
  errors,
  flowErrors,
  isErrorCode,
  processErrors,
  requestErrors,
} from '#contract/terms'
import { generated, table } from './markdown.ts'

const groups = [
  {
    title: 'Errors of a request',
    about: 'Any operation can return these. The HTTP status says whether a retry can help.',
    codes: requestErrors,
  },
  {
    title: 'Refusals',
    about: 'HTTP 200 with `success: false`: the service understood the request and the answer is no. Do not retry.',
    codes: businessErrors,
  },
  {
    title: 'Errors of the client',
    about: 'Raised by the API client of workers and gateway, without a response of the service.',
    codes: clientErrors,
  },
  {
    title: 'Errors of flows',
    about: 'The type of a failed flow or a rejected update. The status is that of flows over HTTP.',
    codes: flowErrors,
  },
  {
    title: 'Errors of a call to a flow',
    about: 'Thrown by the flow client as `FlowCallError`, or part of a result that is no success.',
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
    ...groups.flatMap(({ title, about, codes }) => [
      `## ${title}`,
      about,
      overview(Object.keys(codes) as DocumentedCode[]),
      ...Object.entries(codes).map(([code, { meaning }]) => entry(code as DocumentedCode, meaning)),
    ]),
  ].join('\n\n')}\n`
}

const introduction = `Every failure has a code from one table, \`contract/terms/errors.ts\`. A response carries it in \`error\`, a failed
workflow in the type of its failure. Each code has an anchor: \`errors.md#invalidrequest\`. Messages end with its
address in a clone, in the installed package or on a public page (D-360), except in responses whose code is one of the
specification (D-160).`

function overview(codes: readonly DocumentedCode[]): string {
  return table(
    ['code', 'status'],
    codes.map(code => [`[\`${code}\`](#${code.toLowerCase()})`, statusOf(code)]),
  )
}

function entry(code: DocumentedCode, meaning: string): string {
  const { cause, remedy } = errorGuide[code]
  const status = statusOf(code)
  return [
    `### ${code}`,
    `${meaning}${status && ` Status ${status}.`}`,
    `- **Cause:** ${cause}\n- **What to do:** ${remedy}`,
  ].join('\n\n')
}

/** The HTTP status; empty for an error of a process. */
function statusOf(code: DocumentedCode): string {
  return isErrorCode(code) ? String(errors[code].status) : ''
}
