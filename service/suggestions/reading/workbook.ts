import { type ReadEntry, zipStored } from './zip.ts'

/** The parts of an .xlsx file that its first sheet needs. */
export interface SheetParts {
  readonly sheet: Buffer
  /** Texts that cells refer to; absent if they contain their texts. */
  readonly sharedStrings: Buffer | undefined
}

interface Relation {
  readonly id: string
  readonly type: string
  /** Name of the part. */
  readonly target: string
}

type Attributes = ReadonlyMap<string, string>

const base = 'package:/'

/**
 * Finds the first sheet by the relations of the package, since names of parts are free (ECMA-376-2, 6.5).
 * @throws Error if a part is missing
 */
export function findSheetParts(read: ReadEntry): SheetParts {
  const workbookName = requireRelation(readRelations(read, ''), '/officeDocument').target
  const workbook = requirePart(read, workbookName)
  const relations = readRelations(read, workbookName)
  const ids = findElements(workbook, 'sheet').map(sheet => sheet.get('id'))
  // A chart can be a sheet too, and has no rows.
  const sheets = ids.flatMap(id => relations.filter(relation => relation.id === id && isOf(relation, '/worksheet')))
  const [first] = sheets
  if (first === undefined) throw new Error('no sheet')
  const texts = relations.find(relation => isOf(relation, '/sharedStrings'))
  return { sheet: requirePart(read, first.target), sharedStrings: texts && requirePart(read, texts.target) }
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

function requirePart(read: ReadEntry, name: string): Buffer {
  const part = read(name)
  if (part === undefined) throw new Error(`no part ${name}`)
  return part
}

/** The relations of a part; those of the package belong to the empty name. */
function readRelations(read: ReadEntry, source: string): Relation[] {
  const slash = source.lastIndexOf('/') + 1
  const file = requirePart(read, `${source.slice(0, slash)}_rels/${source.slice(slash)}.rels`)
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

/** The attributes of all elements with a local name, by their local names, which occur once in the elements read here. */
function findElements(part: Buffer, name: string): Attributes[] {
  const element = new RegExp(`<(?:[\\w.-]+:)?${name}\\b((?:[^>"']|"[^"]*"|'[^']*')*)>`, 'g')
  return [...part.toString('utf8').matchAll(element)].map(([, attributes = '']) => readAttributes(attributes))
}

function readAttributes(text: string): Attributes {
  const pairs = text.matchAll(/([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)
  return new Map(Array.from(pairs, ([, name = '', quoted, single]) => [name, decodeEntities(quoted ?? single ?? '')]))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([\da-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (all, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? all
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationNamespace = 'http://schemas.openxmlformats.org/package/2006/relationships'
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts around a sheet under the names that the parser expects. */
const around = {
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${contentType}.sharedStrings+xml"/></Types>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relationNamespace}"><Relationship Id="r1" Type="${relationType}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationType}"><sheets><sheet name="1" sheetId="1" r:id="r1"/></sheets></workbook>`,
} as const

/** An .xlsx file of one sheet without compression, so that the parser cannot inflate anything that was not counted. */
export function packSheet({ sheet, sharedStrings }: SheetParts): Buffer {
  return zipStored([
    ...Object.entries(around).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    { name: 'xl/worksheets/sheet1.xml', bytes: sheet },
    ...(sharedStrings === undefined ? [] : [{ name: 'xl/sharedStrings.xml', bytes: sharedStrings }]),
  ])
}
