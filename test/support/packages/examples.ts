import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { type FlowStatus, toWorkflowId } from '#flows'
import { blocksIn } from '../../docs/blocks.ts'
import { root } from '../../project/sources.ts'
import { eventually } from '../eventually.ts'
import { type Ended, type RunningDev, run, startDev } from './installed.ts'

/** The flow of the repair shop, as its page says. */
const ownFlows = {
  LOCKERFLOW_FLOWS: './repair-shop/flows/repairShop.yaml',
  LOCKERFLOW_ACTIVITIES: './repair-shop/activities.ts',
}

type Variables = Readonly<Record<string, string>>

/** The examples in a folder with installed packages, and `lockerflow dev` of that folder. */
export interface InstalledExamples {
  readonly folder: string
  readonly dev: RunningDev
  readonly client: Client
  /** The worker decrypts what a starter with these keys encrypts, and writes the rest as it is. */
  readonly ring: string
  /** Runs a program of the folder on the Node of the tests. */
  node(args: readonly string[], variables?: Variables): Promise<Ended>
  lockerflow(...args: string[]): Promise<Ended>
  /** The commands of a page, with the Node of the tests, and without npx, which would ask the registry. */
  commandsOn(example: string, name: string): string
  /** Runs the block in `sh` with this name on the page of an example, in the folder of the example. */
  runPage(example: string, name: string, variables?: Variables): Promise<Ended>
  untilStage(caseNo: string, wanted: string): Promise<void>
  stop(): Promise<void>
}

/** Copies the examples into a folder with the packages that they import, and starts everything that they need. */
export async function startExamples(folder: string): Promise<InstalledExamples> {
  await cp(join(root, 'examples'), folder, { recursive: true, filter: path => !path.includes('node_modules') })
  const ring = `test:${randomBytes(32).toString('base64')}`
  const dev = await startDev(folder, { ...ownFlows, LOCKERFLOW_CODEC_KEYS: ring, LOCKERFLOW_CODEC: 'off' })
  const client = new Client({ connection: await Connection.connect({ address: dev.temporal.TEMPORAL_ADDRESS }) })
  const command = join('node_modules', 'lockerflow', 'dist', 'lockerflow.js')

  const node = (args: readonly string[], variables: Variables = {}) =>
    run(folder, [process.execPath, ...args], { ...dev.temporal, ...variables })

  function commandsOn(example: string, name: string): string {
    const blocks = blocksIn(readPage(`examples/${example}/README.md`))
    const block = blocks.find(({ language, info }) => language === 'sh' && info === name)
    if (block === undefined) throw new Error(`the page of ${example} has no block ${name}`)
    const start = `'${process.execPath}' `
    return block.text
      .replaceAll('npx lockerflow', `${start}'${join(folder, command)}'`)
      .replaceAll(/\bnode (?=typescript)/g, start)
  }

  return {
    ...{ folder, dev, client, ring, node, commandsOn },
    lockerflow: (...args) => node([command, ...args], ownFlows),
    runPage(example, name, variables = {}) {
      const service = { LOCKERFLOW_BASE_URL: dev.baseUrl, LOCKERFLOW_AUTH_URL: dev.baseUrl }
      const credentials = { LOCKERFLOW_CLIENT_ID: 'acme', LOCKERFLOW_CLIENT_SECRET: 'acme-secret' }
      const given = { ...dev.temporal, ...credentials, ...variables, ...service }
      return run(join(folder, example), ['bash', '-euc', commandsOn(example, name)], given)
    },
    async untilStage(caseNo, wanted) {
      const flow = client.workflow.getHandle(toWorkflowId(caseNo))
      await eventually(() =>
        flow.query<FlowStatus>('status').then(
          ({ stage }) => stage === wanted || undefined,
          () => undefined,
        ),
      )
    },
    async stop() {
      await client.connection.close()
      await dev.command.stop()
    },
  }
}

export function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** The commands of the page of examples that install packages, and the one after them that keeps running. */
export function installsOnPage(): string {
  const blocks = blocksIn(readPage('examples/README.md'))
  const commands = blocks.find(({ language, info }) => language === 'sh' && info === 'install')?.text ?? ''
  return commands
    .split('\n')
    .filter(line => line.startsWith('npm '))
    .join('\n')
}
