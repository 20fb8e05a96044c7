import { extname, isAbsolute, relative, resolve } from 'node:path'
import { type FieldPath, findFiles, type Place, readDocuments, readText } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import type { Story } from '#testing/story'
import type { TestCase } from '../format/case.ts'
import { checkCase, checkStory, hasCaseField } from '../format/check.ts'
import { type CaseFault, type CaseFinding, toCaseFault } from '../format/fault.ts'
import { checkReferences } from './references.ts'

export interface LoadCasesOptions {
  /** The flows of the cases, by name. Absent: names of flows, steps and roles are not checked. */
  readonly flows?: Readonly<Record<string, FlowDeclaration>>
  /** Paths and patterns are relative to it. Default: the folder of the process. */
  readonly folder?: string
}

/** A test case, with the place of each of its fields. */
export interface LoadedCase {
  readonly test: TestCase
  /** As messages show it. */
  readonly file: string
  placeOf(at: FieldPath): Place
}

export interface LoadedCases {
  /** The cases without a fault, in the order of the files. */
  readonly cases: readonly LoadedCase[]
  readonly faults: readonly CaseFault[]
  /** No value of the files has a field that only a test case has. False if one cannot be read. */
  readonly areStories: boolean
}

/** A value of a file that should be a case or a story. */
interface Part {
  readonly value: unknown
  readonly findings: readonly CaseFinding[]
  readonly file: string
  placeOf(at: FieldPath): Place
}

const types = ['.yaml', '.yml', '.json']

/**
 * Loads and checks test cases. A file has one case, or a list of cases, in each of its documents.
 * @param patterns paths or patterns such as `./cases/*.yaml`
 */
export async function loadCases(
  patterns: readonly string[],
  { flows, folder = process.cwd() }: LoadCasesOptions = {},
): Promise<LoadedCases> {
  const parts: Part[] = []
  const read = new Set<string>()
  for (const { pattern, files, fault } of await findFiles(patterns, folder)) {
    if (fault !== undefined) parts.push(unreadable(pattern, fault))
    for (const file of files.filter(file => !read.has(file))) {
      read.add(file)
      parts.push(...(await readParts(file, folder)).flatMap(toParts))
    }
  }
  const cases: LoadedCase[] = []
  const faults: CaseFault[] = []
  const names = new Set<string>()
  for (const { value, findings, file, placeOf } of parts) {
    const form = findings.length > 0 ? undefined : checkCase(value)
    const found = [...findings]
    if (form?.ok === false) found.push(...form.findings)
    if (form?.ok) {
      const key = `${form.value.flow} ${form.value.case}`
      if (names.has(key)) {
        found.push({ at: ['case'], code: 'DuplicateName', text: 'must be unique, but another case has this name.' })
      }
      names.add(key)
      if (flows !== undefined) found.push(...checkReferences(form.value, flows))
      if (found.length === 0) cases.push({ test: form.value, file, placeOf })
    }
    const name = typeof value === 'object' && value !== null ? Reflect.get(value, 'case') : undefined
    faults.push(...found.map(finding => toCaseFault(name, finding, placeOf(finding.at))))
  }
  return { cases, faults, areStories: parts.every(part => part.findings.length === 0 && !hasCaseField(part.value)) }
}

/** Loads and checks a story: an object with `story`, or the list of words alone. */
export async function loadStory(
  file: string,
  folder = process.cwd(),
): Promise<{
  readonly story?: Story
  readonly faults: readonly CaseFault[]
  /** The place of a field, from the root of the story. */
  placeOf(at: FieldPath): Place
}> {
  const [part, second] = await readParts(resolve(folder, file), folder)
  if (part === undefined) return { faults: [], placeOf: () => ({ file }) }
  const isList = Array.isArray(part.value)
  const placeOf = (at: FieldPath) => part.placeOf(isList ? at.slice(1) : at)
  if (second !== undefined) {
    const text = 'must be the only document of its file, since one story is played.'
    const finding: CaseFinding = { at: [], code: 'InvalidValue', text }
    return { faults: [toCaseFault(undefined, finding, second.placeOf([]))], placeOf }
  }
  const form = part.findings.length > 0 ? undefined : checkStory(isList ? { story: part.value } : part.value)
  const findings = form?.ok === false ? form.findings : part.findings
  const faults = findings.map(finding => toCaseFault(undefined, finding, placeOf(finding.at)))
  return form?.ok ? { story: form.value, faults, placeOf } : { faults, placeOf }
}

async function readParts(file: string, folder: string): Promise<Part[]> {
  const shown = relative(folder, file)
  const name = isAbsolute(shown) || shown.startsWith('..') ? file : shown
  if (!types.includes(extname(file))) return [unreadable(name, `must be one of ${types.join(', ')}.`)]
  try {
    const documents = readDocuments(await readText(file), name)
    const parts = documents.map(({ value, findings, placeOf }) => ({
      value,
      findings: findings as readonly CaseFinding[],
      file: name,
      placeOf,
    }))
    return parts.length > 0
      ? parts
      : [{ value: undefined, findings: [noCase], file: name, placeOf: () => ({ file: name }) }]
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    return [unreadable(name, `must be a file that can be read: ${reason?.replace(/\.$/, '')}.`)]
  }
}

/** A list of cases is one part for each. */
function toParts({ value, findings, file, placeOf }: Part): Part[] {
  if (!Array.isArray(value)) return [{ value, findings, file, placeOf }]
  if (value.length === 0) return [{ value, findings: [noCase], file, placeOf }]
  return value.map((member: unknown, index) => ({
    value: member,
    findings,
    file,
    placeOf: at => placeOf([index, ...at]),
  }))
}

const noCase: CaseFinding = { at: [], code: 'NoCase', text: 'must contain a case or a story.' }

function unreadable(file: string, text: string): Part {
  return { value: undefined, findings: [{ at: [], code: 'FileNotRead', text }], file, placeOf: () => ({ file }) }
}
