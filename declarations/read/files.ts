import { isUtf8 } from 'node:buffer'
// Node 20 lacks `glob`: a named import would fail before the check of the version runs.
import fileSystem, { readFile, stat } from 'node:fs/promises'
import { extname, isAbsolute, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Declared, type Place, valueAt } from '../fault.ts'
import { toPlainJson } from '../json.ts'
import { firstPlace, readDocuments } from './document.ts'
import { placesIn } from './moduleText.ts'

const dataFiles = ['.yaml', '.yml', '.json']
const moduleFiles = ['.ts', '.mts', '.js', '.mjs']

/** The files that paths and patterns such as `./flows/*.{ts,yaml}` name, in the order of their names, each once. */
export async function findFiles(patterns: readonly string[], folder: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const pattern of patterns) {
    // The name of a file may have the characters of a pattern.
    const isPattern = /[*?{}[\]]/.test(pattern) && !(await isFile(resolve(folder, pattern)))
    const paths: string[] = []
    if (!isPattern) paths.push(pattern)
    else
      for await (const entry of fileSystem.glob(pattern, { cwd: folder, withFileTypes: true }))
        if (!entry.isDirectory()) paths.push(join(entry.parentPath, entry.name))
    found.set(pattern, paths.map(file => resolve(folder, file)).toSorted())
  }
  return found
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isFile(),
    () => false,
  )
}

/** The declarations of one file. */
export async function readFlows(file: string, folder: string): Promise<Declared[]> {
  const shown = relative(folder, file)
  const name = isAbsolute(shown) || shown.startsWith('..') ? file : shown
  const type = extname(file)
  if (!dataFiles.includes(type) && !moduleFiles.includes(type)) {
    return [unreadable(name, `must be one of ${[...moduleFiles, ...dataFiles].join(', ')}.`)]
  }
  try {
    if (!dataFiles.includes(type))
      return withContent(readModule(await importModule(file), name, await readFile(file, 'utf8')), { file: name })
    return withContent(readDocuments(await readText(file), name), firstPlace(name))
  } catch (error) {
    return [unreadable(name, `must be a file that can be read: ${toReason(error)}`, placeIn(error, file))]
  }
}

/**
 * The text of a file.
 * @throws Error for a file that cannot be read, or has another encoding than UTF-8
 */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file)
  if (!isUtf8(bytes)) throw new Error('its encoding must be UTF-8')
  // The decoder removes a byte order mark, which some editors write.
  return new TextDecoder().decode(bytes)
}

function importModule(file: string): Promise<object> {
  return import(pathToFileURL(file).href)
}

/** The exports that are declarations: objects with steps. A module may export activities too. */
function readModule(module: object, file: string, text: string): Declared[] {
  const exported = new Set(Object.values(module).flatMap(value => (Array.isArray(value) ? value : [value])))
  return [...exported]
    .filter(value => value instanceof Promise || (typeof value === 'object' && value !== null && 'steps' in value))
    .map(value => {
      const read = value instanceof Promise ? notAwaited : toPlainJson(value)
      const find = placesIn(text, valueAt(read.value, ['name']))
      return { ...read, placeOf: at => ({ file, ...find(at) }) }
    })
}

/** A promise may be one of a flow, which would be missing without a fault. */
const notAwaited: Pick<Declared, 'value' | 'findings'> = {
  value: undefined,
  findings: [{ at: [], code: 'NotJson', text: 'must be an object, not a promise. Await it in the module.' }],
}

function withContent(sources: Declared[], place: Place): Declared[] {
  if (sources.length > 0) return sources
  const text = 'must contain a declaration: an object with name, summary and steps.'
  return [{ value: undefined, findings: [{ at: [], code: 'NoDeclaration', text }], placeOf: () => place }]
}

export function unreadable(file: string, text: string, place: Place = {}): Declared {
  return { value: undefined, findings: [{ at: [], code: 'FileNotRead', text }], placeOf: () => ({ file, ...place }) }
}

/** The line of a module that does not compile, or that throws. Node.js begins the stack with it, or has it in a frame. */
function placeIn(error: unknown, file: string): Place {
  const [, line] = (error instanceof Error ? error.stack : undefined)?.split(file)[1]?.match(/^:(\d+)/) ?? []
  return line === undefined ? {} : { line: Number(line) }
}

function toReason(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return `${first.replace(/\.$/, '')}.`
}
