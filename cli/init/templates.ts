/** The answers to the four questions of `lockerflow init`. */
export interface Answers {
  /** The folder, and the name of the package. */
  readonly name: string
  readonly flow: StartedFlow
  readonly pickUpPoint: string
  readonly runner: Runner
}

export type StartedFlow = keyof typeof requests
export type Runner = 'node' | 'vitest'

export const runners: readonly Runner[] = ['node', 'vitest']

/** The flows of generated programs: the user in the request, and the story that the test plays. */
export const requests = {
  issue: { text: 'An item for a user', user: 'ToUserUid', story: ['dropOff', 'pickUp'] },
  intake: { text: 'An item from a user', user: 'FromUserUid', story: ['dropOff', 'pickUp'] },
  stock: { text: 'An item without a receiver yet', user: undefined, story: ['dropOff'] },
} as const satisfies Readonly<
  Record<string, { readonly text: string; readonly user: string | undefined; readonly story: readonly string[] }>
>

const versions = { vitest: '5.1.2', typescript: '7.0.2', types: '24.19.2', temporal: '1.24.0' }

/** The files of a project, by their names. @param version of the lockerflow packages */
export function projectFiles(answers: Answers, version: string): Readonly<Record<string, string>> {
  return {
    'package.json': `${JSON.stringify(manifest(answers, version), undefined, 2)}\n`,
    'start.ts': startFile(answers),
    'start.test.ts': testFile(answers),
    'tsconfig.json': `${JSON.stringify({ compilerOptions }, undefined, 2)}\n`,
    '.env': environmentFile,
    '.gitignore': 'node_modules\n.env\n.lockerflow\n',
  }
}

const environmentFile = `# The settings of start.ts, here of the Temporal server of lockerflow dev.
TEMPORAL_ADDRESS=127.0.0.1:7233
`

/** Node removes types and compiles nothing: paths end in `.ts`, imports of types say so, and enums do not run. */
const compilerOptions = {
  strict: true,
  module: 'nodenext',
  target: 'es2023',
  types: ['node'],
  noEmit: true,
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
}

function manifest({ name, runner }: Answers, version: string): object {
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=24.0.0 <25 || >=26.0.0 <27' },
    scripts: {
      dev: 'lockerflow dev',
      start: 'node --env-file=.env start.ts',
      test: runner === 'vitest' ? 'vitest run' : 'node --test',
      types: 'tsc',
    },
    dependencies: { '@temporalio/client': versions.temporal, lockerflow: version },
    devDependencies: {
      '@types/node': versions.types,
      typescript: versions.typescript,
      ...(runner === 'vitest' && { vitest: versions.vitest }),
    },
  }
}

function requestLines({ flow, pickUpPoint }: Answers, indent: string): string {
  const { user } = requests[flow]
  const lines = [
    `PupUid: '${pickUpPoint}',`,
    ...(user === undefined ? [] : [user === 'ToUserUid' ? 'ToUserUid: userUid,' : 'FromUserUid: userUid,']),
    'AllowLargerLockers: true,',
    'AllowOverflowLockers: false,',
    'Dimension: { width: 30, height: 15, length: 40 },',
  ]
  return lines.map(line => `${indent}${line}`).join('\n')
}

function startFile(answers: Answers): string {
  const { flow, pickUpPoint } = answers
  const { user } = requests[flow]
  // The flow creates the account of a user, or finds it.
  const account = `const person = {
  emailAddress: 'robin@example.org',
  firstName: 'Robin',
  lastName: 'Reader',
  pickUpPointUid: '${pickUpPoint}',
}
const account = await flows.startAndWaitForEnd('onboardAccount', { caseNo: \`\${caseNo}-account\`, request: person })
if (account.kind !== 'Ended') throw new Error(account.message)
const userUid = account.result.userUid ?? ''

`
  return `// Starts one flow and waits for its booking: npm start -- R-1001
import { Client, Connection } from '@temporalio/client'
import { createFlowClient } from 'lockerflow/client'

const caseNo = process.argv[2] ?? 'R-1001'
const connection = await Connection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233' })
const flows = createFlowClient(new Client({ connection }))

${user === undefined ? '' : account}const booked = await flows.startAndWaitForBooking('${flow}', {
  caseNo,
  request: {
${requestLines(answers, '    ')}
  },
})
console.log(booked.kind, booked.kind === 'Booked' ? booked.shipments.map(({ lockerName }) => lockerName) : booked)
await connection.close()
`
}

function testFile(answers: Answers): string {
  const { flow, runner } = answers
  const { user, story } = requests[flow]
  const imports =
    runner === 'vitest'
      ? "import { expect, test } from 'vitest'"
      : "import assert from 'node:assert/strict'\nimport { test } from 'node:test'"
  const check =
    runner === 'vitest'
      ? "expect(ended).toMatchObject({ result: { outcome: 'completed' } })"
      : "assert.equal(ended.kind === 'Ended' && ended.result.outcome, 'completed')"
  const account = user === undefined ? '' : "  const userUid = await lockers.people.create('robin')\n"
  const begin =
    runner === 'vitest'
      ? "test('the flow completes', { timeout: 300_000 }, async () => {"
      : "test('the flow completes', async () => {"
  return `// Plays one whole flow on a stack of its own: npm test
${imports}
import { startLockers } from 'lockerflow/testing'

${begin}
  await using lockers = await startLockers()
${account}  await lockers.flows.startAndWaitForBooking('${flow}', {
    caseNo: 'R-1001',
    request: {
${requestLines(answers, '      ')}
    },
  })
${story.map(action => `  await lockers.people.${action}('R-1001')`).join('\n')}
  const ended = await lockers.flows.result('R-1001')
  ${check}
})
`
}
