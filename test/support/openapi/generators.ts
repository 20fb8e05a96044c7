import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readEnvironment } from '../../../platform/environment.ts'
import { cachedFolder } from '../cachedFolder.ts'
import { hashOf } from '../examples/hashOf.ts'
import { goBuild } from '../goBuild.ts'
import { pythonWith } from '../setup/python.ts'

const run = promisify(execFile)
const { cacheFolder } = readEnvironment()
const progress = (line: string) => console.error(line)

/** Milliseconds that the generators may take, with their downloads. */
const generateTimeout = 300_000

const oapiCodegen = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
/** The pinned modules and packages of generated clients. */
const pins = join(import.meta.dirname, 'programs')

export interface Generation {
  /** The first word of the cached folder's name. */
  readonly name: string
  /** The path of the OpenAPI document. */
  readonly document: string
  /** The name of the generated package. */
  readonly packageName: string
  /** The folder of the program that uses the client. */
  readonly source: string
}

export interface GeneratedPython {
  readonly command: string
  /** The variables with which the command finds the client. */
  readonly variables: Readonly<Record<string, string>>
}

/** Generates a client in Python, once per machine and document. */
export async function generatePython(generation: Generation): Promise<GeneratedPython> {
  const { document, packageName } = generation
  const requirements = join(pins, 'requirements.txt')
  const { command, variables } = await pythonWith({ name: 'openapi', requirements, cacheFolder, progress })
  const folder = await cachedFolder(cacheFolder, `${generation.name}-python-${keyOf(generation)}`, async making => {
    const words = ['generate', '--path', document, '--config', join(pins, 'generator.yaml'), '--meta', 'none']
    const output = ['--output-path', join(making, packageName), '--overwrite']
    const env = { ...process.env, ...variables }
    await run(command, ['-m', 'openapi_python_client', ...words, ...output], { env, timeout: generateTimeout })
  })
  const paths = [folder, variables.PYTHONPATH].filter(path => path !== undefined).join(':')
  return { command, variables: { ...variables, PYTHONPATH: paths } }
}

/** Generates a client in Go and builds a program with it, once per machine and document. @returns the folder with both */
export function generateGo(generation: Generation, files: readonly string[]): Promise<string> {
  const { document, packageName, source } = generation
  return cachedFolder(cacheFolder, `${generation.name}-go-${keyOf(generation)}`, async making => {
    progress(`Generating and building the client of ${document} in Go, once per machine`)
    for (const file of files) await cp(join(source, file), join(making, file))
    for (const file of ['go.mod', 'go.sum']) await cp(join(pins, file), join(making, file))
    const generated = join(making, packageName, `${packageName}.gen.go`)
    await mkdir(dirname(generated))
    const words = ['run', oapiCodegen, '-generate', 'types,client', '-package', packageName, '-o', generated, document]
    await run('go', words, { cwd: making, timeout: generateTimeout })
    await goBuild(['build', '-v', '-trimpath', '-o', join(making, 'program'), '.'], { progress, folder: making })
  })
}

/** The key of a generated client: its program, the document and the generator. */
function keyOf({ source, document }: Generation): string {
  return hashOf(source, createHash('sha256').update(readFileSync(document)).update(oapiCodegen).digest('hex'))
}
