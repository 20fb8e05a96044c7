import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readEnvironment } from '../../../cli/environment.ts'
import { cachedFolder, goBuild } from '../../../cli/temporal/index.ts'
import { root } from '../../project/sources.ts'
import { hashOf } from '../examples/hashOf.ts'
import { type Command, examples, lacksGo } from '../examples/languages.ts'
import { findPython, pythonWith } from '../setup/python.ts'

const run = promisify(execFile)
const { cacheFolder } = readEnvironment()
const progress = (line: string) => console.error(line)

/** Milliseconds that the generators may take, with their downloads. */
const generateTimeout = 300_000

const document = join(root, 'docs/reference/flows-openapi.json')
const oapiCodegen = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'

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
      const requirements = join(source, 'requirements.txt')
      const { command, variables } = await pythonWith({ name: 'openapi', requirements, cacheFolder, progress })
      const folder = await cachedFolder(cacheFolder, `http-python-${keyOf(source)}`, async making => {
        const words = ['generate', '--path', document, '--config', join(source, 'generator.yaml'), '--meta', 'none']
        const output = ['--output-path', join(making, 'flow_api'), '--overwrite']
        const env = { ...process.env, ...variables }
        await run(command, ['-m', 'openapi_python_client', ...words, ...output], { env, timeout: generateTimeout })
      })
      const paths = [folder, variables.PYTHONPATH].filter(path => path !== undefined).join(':')
      return { file: command, words: [join(source, 'start_flows.py')], variables: { ...variables, PYTHONPATH: paths } }
    },
  },
  {
    name: 'go',
    lacks: lacksGo,
    async prepare() {
      const source = join(examples, 'http/go')
      const folder = await cachedFolder(cacheFolder, `http-go-${keyOf(source)}`, async making => {
        progress('Generating and building examples/http/go, once per machine')
        for (const file of ['main.go', 'run.go', 'calls.go', 'go.mod', 'go.sum'])
          await cp(join(source, file), join(making, file))
        const generated = join(making, 'flowapi/flowapi.gen.go')
        await mkdir(dirname(generated))
        const words = [
          'run',
          oapiCodegen,
          '-generate',
          'types,client',
          '-package',
          'flowapi',
          '-o',
          generated,
          document,
        ]
        await run('go', words, { cwd: making, timeout: generateTimeout })
        await goBuild(['build', '-v', '-trimpath', '-o', join(making, 'program'), '.'], { progress, folder: making })
      })
      return { file: join(folder, 'program'), words: [], variables: {} }
    },
  },
]

/** The key of a generated client: its program, the document and the generator. */
function keyOf(folder: string): string {
  return hashOf(folder, createHash('sha256').update(readFileSync(document)).update(oapiCodegen).digest('hex'))
}
