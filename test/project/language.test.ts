import { describe, expect, test } from 'vitest'
import { listFiles } from '../support/project/files.ts'
import {
  commentsOf,
  docCommentRules,
  docCommentsOf,
  fileRules,
  identifierRules,
  identifiersOf,
  nameRules,
  objections,
  paragraphsOf,
  proseRules,
  readText,
  sentencesOf,
} from './language.ts'

/** This file and its rules name the words themselves. */
const own = ['test/project/language.ts', 'test/project/language.test.ts']

const paths = listFiles().filter(path => !own.includes(path) && !path.startsWith('test/histories/'))

const sources = paths.filter(path => path.endsWith('.ts'))
const pages = paths.filter(path => path.endsWith('.md'))
const others = paths.filter(path => /\.(mjs|py|go|ya?ml|example)$|Dockerfile$/.test(path))

const folders = [
  ...new Set(
    sources.map(path =>
      path
        .split('/')
        .slice(0, path.startsWith('test/') ? 2 : 1)
        .join('/'),
    ),
  ),
]
const within = (folder: string) => (path: string) => path === folder || path.startsWith(`${folder}/`)

interface FolderObjections {
  readonly prose: readonly string[]
  readonly identifiers: readonly string[]
}

const byFolder = new Map<string, FolderObjections>()

/** Applies all rules to a file together, because it takes longest to parse. */
function objectionsIn(folder: string): FolderObjections {
  const known = byFolder.get(folder)
  if (known !== undefined) return known
  const files = sources.filter(within(folder)).map(path => {
    const text = readText(path)
    const prose = [
      ...objections(path, commentsOf(text), proseRules),
      ...objections(path, docCommentsOf(text), docCommentRules),
      ...objections(path, sentencesOf(text), proseRules),
    ]
    return { prose, identifiers: objections(path, identifiersOf(text), identifierRules) }
  })
  const found = {
    prose: files.flatMap(({ prose }) => prose),
    identifiers: files.flatMap(({ identifiers }) => identifiers),
  }
  byFolder.set(folder, found)
  return found
}

describe('the words of the house are kept', () => {
  test.each(folders)('by comments and sentences in %s', folder => {
    expect(objectionsIn(folder).prose).toEqual([])
  })

  test.each(folders)('by identifiers in %s', folder => {
    expect(objectionsIn(folder).identifiers).toEqual([])
  })

  test.each(pages)('by the page %s', page => {
    expect(objections(page, paragraphsOf(readText(page)), proseRules)).toEqual([])
  })

  test('by settings, codes and log fields', () => {
    const found = [...sources, ...pages, ...others].flatMap(path =>
      objections(path, linesOf(readText(path)), nameRules),
    )
    expect(found).toEqual([])
  })

  test('by scripts and settings files', () => {
    const found = others.flatMap(path => objections(path, remarksOf(readText(path)), proseRules))
    expect(found).toEqual([])
  })

  test('by names of files', () => {
    const names = paths.map(path => ({ line: 1, text: path }))
    expect(names.flatMap(name => objections(name.text, [name], fileRules))).toEqual([])
  })
})

test('no line of a comment is longer than 132 columns', () => {
  const found = sources.flatMap(path => longLinesOf(readText(path)).map(line => `${path}:${line}`))
  expect(found).toEqual([])
})

describe('the rules find', () => {
  test.each([
    ['a comment that begins with What', '// What it does.\n', proseRules],
    ['a sentence that begins with Of', '// It is. Of a release the first counts.\n', proseRules],
    ['a person without a role', '/** Stops when\n * nobody waits. */\n', proseRules],
    ['an error that begins the old way', "throw new Error('the name has to be a text')\n", proseRules],
  ])('%s', (_, text, rules) => {
    expect(objections('a.ts', [...commentsOf(text), ...sentencesOf(text)], rules)).toHaveLength(1)
  })

  test('a doc comment that points at its neighbour', () => {
    const text = '/** The same for files. */\n/**\n * Those of files.\n */\n// Both are read.\n'
    expect(objections('a.ts', docCommentsOf(text), docCommentRules)).toHaveLength(2)
  })

  test('a line of a comment that is too long, and no line of code', () => {
    const long = 'x'.repeat(130)
    expect(longLinesOf(`// ${long}\nconst a = '${long}'\n/**\n * ${long}\n */\n`)).toEqual([1, 4])
  })

  test('an identifier', () => {
    expect(objections('a.ts', identifiersOf('const carryOn = true\n'), identifierRules)).toHaveLength(1)
  })

  test('a sentence of a page, and not its code', () => {
    const page = '# Title\n\n| a | Nobody reads it |\n\n```\n# nobody\n```\n'
    expect(objections('a.md', paragraphsOf(page), proseRules)).not.toEqual([])
    expect(objections('a.md', paragraphsOf('```\n# nobody\n```\n`nobody`\n'), proseRules)).toEqual([])
  })

  test('nothing in a string that only looks like a comment', () => {
    expect(commentsOf("const url = 'http://nobody'\n")).toEqual([])
  })
})

function linesOf(text: string) {
  return text.split('\n').map((line, index) => ({ line: index + 1, text: line }))
}

/** The numbers of the lines that begin with a comment and are too long to be read beside code. */
function longLinesOf(text: string): number[] {
  return linesOf(text)
    .filter(({ text: line }) => line.length > 132 && /^\s*(?:\/\/|\/?\*)/.test(line))
    .map(({ line }) => line)
}

/** Comments of languages other than TypeScript. */
function remarksOf(text: string) {
  return linesOf(text).flatMap(({ line, text: whole }) => {
    const remark = /^\s*(?:#|\/\/|"""|\/\*\*?)\s?(.*)$/.exec(whole)?.[1]
    return remark ? [{ line, text: remark }] : []
  })
}
