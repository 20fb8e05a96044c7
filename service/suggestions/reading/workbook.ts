import { noVisibleSheet } from './fileType.ts'
import type { Archive } from './zip.ts'

/** The first visible sheet of an .xlsx file, and the names of the parts that it needs. */
export interface SheetParts {
  /** As people see it. */
  readonly name: string
  readonly sheet: string
  /** Texts that cells refer to; absent if they contain their texts. */
  readonly sharedStrings: string | undefined
}

interface Relation {
  readonly id: string
  readonly type: string
  /** Name of the part. */
  readonly target: string
}

type Attributes = ReadonlyMap<string, string>

const base = 'package:/'
const maxPartBytes = 8 * 1_024 * 1_024
const hiddenStates: ReadonlySet<string | undefined> = new Set(['hidden', 'veryHidden'])

/**
 * Finds the first visible sheet by the relations of the package, since names of parts are free (ECMA-376-2, 6.5).
 * @throws OperationError InvalidHeader without a visible sheet, Error if a part is missing
 */
export async function findSheetParts(archive: Archive): Promise<SheetParts> {
  const workbookName = requireRelation(await readRelations(archive, ''), '/officeDocument').target
  const workbook = await readPart(archive, workbookName)
  const relations = await readRelations(archive, workbookName)
  // A chart can be a sheet too, and has no rows.
  const worksheets = relations.filter(relation => isOf(relation, '/worksheet'))
  const byId = new Map<string | undefined, Relation>(worksheets.toReversed().map(relation => [relation.id, relation]))
  const sheets = findElements(workbook, 'sheet').filter(sheet => byId.has(sheet.get('id')))
  if (sheets.length === 0) throw new Error('no sheet')
  const visible = sheets.find(sheet => !hiddenStates.has(sheet.get('state')))
  const part = byId.get(visible?.get('id'))
  if (part === undefined) throw noVisibleSheet()
  const texts = relations.find(relation => isOf(relation, '/sharedStrings'))
  return { name: visible?.get('name') ?? '', sheet: part.target, sharedStrings: texts?.target }
}

/** A relation has the same type in the transitional and in the strict format, except for its beginning. */
function isOf({ type }: Relation, end: string): boolean {
  return type.endsWith(end)
}

function requireRelation(relations: readonly Relation[], end: string): Relation {
  const found = relations.find(relation => isOf(relation, end))
  if (found === undefined) throw new Error(`no relation ${end}`)
  return found
}

/** Reads a part that describes others, which is small. */
async function readPart(archive: Archive, name: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of archive.stream(name)) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxPartBytes) throw new Error(`the part ${name} is too large`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The relations of a part; those of the package belong to the empty name. */
async function readRelations(archive: Archive, source: string): Promise<Relation[]> {
  const slash = source.lastIndexOf('/') + 1
  const file = await readPart(archive, `${source.slice(0, slash)}_rels/${source.slice(slash)}.rels`)
  return findElements(file, 'Relationship')
    .filter(attributes => attributes.get('TargetMode') !== 'External')
    .map(attributes => ({
      id: attributes.get('Id') ?? '',
      type: attributes.get('Type') ?? '',
      target: toPartName(attributes.get('Target') ?? '', source),
    }))
}

/** Resolves a relative or absolute reference. */
function toPartName(target: string, source: string): string {
  return decodeURIComponent(new URL(target, new URL(source, base)).pathname).replace(/^\/+/, '')
}

/**
 * The attributes of all elements with a local name, by their local names, which occur once in the elements read here. An element
 * contains no further `<`, or the search would read the rest of the part again for each element without an end.
 */
function findElements(part: string, name: string): Attributes[] {
  const element = new RegExp(`<(?:[\\w.-]+:)?${name}\\b((?:[^<>"']|"[^<"]*"|'[^<']*')*)>`, 'g')
  return [...part.matchAll(element)].map(([, attributes = '']) => readAttributes(attributes))
}

function readAttributes(text: string): Attributes {
  // Without the condition before it, a long name would be read again from each of its characters.
  const pairs = text.matchAll(/(?<![\w.-])([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)
  return new Map(Array.from(pairs, ([, name = '', quoted, single]) => [name, decodeEntities(quoted ?? single ?? '')]))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([\da-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (all, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? all
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
}
