import { extname, isAbsolute, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Declared, type Place, valueAt } from '../fault.ts'
import { toPlainJson } from '../json.ts'
import { firstPlace, readDocuments } from './document.ts'
import { placesIn } from './moduleText.ts'
import { readText } from './text.ts'

const dataFiles = ['.yaml', '.yml', '.json']
const moduleFiles = ['.ts', '.mts', '.js', '.mjs']

/** The declarations of one file. */
export async function readFlows(file: string, folder: string): Promise<Declared[]> {
  const shown = relative(folder, file)
  const name = isAbsolute(shown) || shown.startsWith('..') ? file : shown
  const type = extname(file)
  if (!dataFiles.includes(type) && !moduleFiles.includes(type)) {
    return [unreadable(name, `must be one of ${[...moduleFiles, ...dataFiles].join(', ')}.`)]
  }
  try {
    // Checked for a module too: Node.js would read a device without end.
    const text = await readText(file)
    if (!dataFiles.includes(type)) return withContent(readModule(await importModule(file), name, text), { file: name })
    return withContent(readDocuments(text, name), firstPlace(name))
  } catch (error) {
    return [unreadable(name, `must be a file that can be read: ${toReason(error)}`, placeIn(error, file))]
  }
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
