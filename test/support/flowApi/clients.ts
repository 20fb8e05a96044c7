import { join } from 'node:path'
import { root } from '../../project/sources.ts'
import { type Command, examples, lacksGo } from '../examples/languages.ts'
import { generateGo, generatePython } from '../openapi/generators.ts'
import { findPython } from '../setup/python.ts'

const document = join(root, 'docs/reference/flows-openapi.json')

/** A client that is generated from the OpenAPI document, and the program that uses it. */
export interface GeneratedClient {
  readonly name: string
  /** The tool that the machine lacks; undefined if the program can run. */
  readonly lacks: string | undefined
  /** Generates the client, once per machine and document. */
  readonly prepare: () => Promise<Command>
}

export const generatedClients: readonly GeneratedClient[] = [
  {
    name: 'python',
    lacks: (await findPython()) === undefined ? 'the PATH has no Python 3.10 or later' : undefined,
    async prepare() {
      const source = join(examples, 'http/python')
      const { command, variables } = await generatePython({ name: 'http', document, packageName: 'flow_api', source })
      return { file: command, words: [join(source, 'start_flows.py')], variables }
    },
  },
  {
    name: 'go',
    lacks: lacksGo,
    async prepare() {
      const generation = { name: 'http', document, packageName: 'flowapi', source: join(examples, 'http/go') }
      const folder = await generateGo(generation, ['main.go', 'run.go', 'calls.go'])
      return { file: join(folder, 'program'), words: [], variables: {} }
    },
  },
]
