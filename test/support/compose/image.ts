import { execFile } from 'node:child_process'
import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { delimiter, dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { type Instruction, readDockerfile } from './dockerfile.ts'
import { contextFiles } from './dockerIgnore.ts'
import { root } from './resolved.ts'

/** The image of the Dockerfile as a folder of this machine. */
export interface Image {
  /** Path of the image's working directory. */
  readonly folder: string
  /** Variables of the image, with paths in the folder. */
  readonly environment: Readonly<Record<string, string>>
  readonly user: string | undefined
  readonly stopSignal: string | undefined
  readonly command: readonly string[]
  /** Steps that change the base image. They did not run, because they would change this machine. */
  readonly left: readonly string[]
}

interface Layer {
  readonly root: string
  readonly environment: Record<string, string>
  workdir: string
  user: string | undefined
  stopSignal: string | undefined
  command: readonly string[]
}

/**
 * Runs the steps of our Dockerfile without Docker, each stage in its own folder. This machine takes the place of the
 * base images.
 * @param folder the parent of the stages' folders
 */
export async function buildImage(folder: string): Promise<Image> {
  const stages = new Map<string | undefined, Layer>()
  const left: string[] = []
  for (const { name, instructions } of readDockerfile()) {
    const made = await mkdtemp(join(folder, 'stage-'))
    const layer: Layer = {
      root: made,
      environment: {},
      workdir: '/',
      user: undefined,
      stopSignal: undefined,
      command: [],
    }
    stages.set(name, layer)
    for (const instruction of instructions) await apply(instruction, layer, stages, left)
  }
  const last = stages.get(undefined)
  if (last === undefined) throw new Error('the last stage of the Dockerfile must have no name')
  const environment = Object.entries(last.environment).map(([name, value]) => [
    name,
    value.startsWith('/') ? join(last.root, value) : value,
  ])
  return { ...last, folder: join(last.root, last.workdir), environment: Object.fromEntries(environment), left }
}

async function apply(
  step: Instruction,
  layer: Layer,
  stages: ReadonlyMap<string | undefined, Layer>,
  left: string[],
): Promise<void> {
  switch (step.kind) {
    case 'WORKDIR':
      layer.workdir = posix.resolve(layer.workdir, step.text)
      await mkdir(join(layer.root, layer.workdir), { recursive: true })
      return
    case 'ENV':
      layer.environment[step.name] = step.value
      return
    case 'USER':
      layer.user = step.text
      return
    case 'STOPSIGNAL':
      layer.stopSignal = step.text
      return
    case 'CMD':
      layer.command = step.words
      return
    case 'RUN':
      if (/(^|\s)\//.test(step.text)) left.push(step.text)
      else await run(step.text, layer)
      return
    case 'COPY':
      for (const source of step.sources) copy(source, step, layer, stages.get(step.from))
  }
}

async function run(text: string, { root: made, workdir, environment }: Layer): Promise<void> {
  // The node of the image, not the one of this machine.
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  await promisify(execFile)('sh', ['-c', text], {
    cwd: join(made, workdir),
    env: { ...outsideScripts(), ...environment, PATH: path, npm_config_prefer_offline: 'true' },
    maxBuffer: 2 ** 24,
  })
}

/** The environment without the variables of `npm test`, which would point an inner npm to this project. */
function outsideScripts(): NodeJS.ProcessEnv {
  const added = /^(npm_(package|lifecycle|config_(local_)?prefix)|INIT_CWD|NODE_ENV)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !added.test(name)))
}

function copy(
  source: string,
  { from, to }: { from: string | undefined; to: string },
  layer: Layer,
  origin: Layer | undefined,
): void {
  const destination = join(
    layer.root,
    posix.resolve(layer.workdir, to),
    to.endsWith('/') && !isTree(source) ? source : '',
  )
  if (from === undefined) {
    const files = contextFiles().filter(path => source === '.' || path === source || path.startsWith(`${source}/`))
    if (files.length === 0) throw new Error(`COPY ${source}: .dockerignore excludes all of it`)
    for (const path of files) cpSync(join(root, path), source === '.' ? join(destination, path) : destination)
    return
  }
  if (origin === undefined) throw new Error(`COPY --from=${from}: no stage has this name`)
  const inside = join(origin.root, posix.resolve(origin.workdir, source))
  if (existsSync(inside)) link(inside, destination)
  // Files of the base image.
  else cpSync(source, destination)
}

/** Copies a folder by hard links, which is safe because its files no longer change. */
function link(source: string, destination: string): void {
  mkdirSync(destination, { recursive: true })
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(destination, entry.name)]
    if (entry.isDirectory()) link(from, to)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
    else linkSync(from, to)
  }
}

/** True if the content of a source is copied rather than the folder itself. */
function isTree(source: string): boolean {
  return source === '.' || source.startsWith('/')
}
