import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../project/sources.ts'

/** A fenced block of a page. */
export interface Block {
  readonly language: string
  /** The text after the language, for instance a file name; may be empty. */
  readonly info: string
  /** The nearest heading above. */
  readonly heading: string
  readonly text: string
}

/** The fenced blocks of a page below docs/, in order of appearance. */
export function readBlocks(page: string): Block[] {
  return blocksIn(readFileSync(join(root, 'docs', page), 'utf8'))
}

export function blocksIn(text: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let open: { language: string; info: string; lines: string[] } | undefined
  for (const line of text.split('\n')) {
    const [fence, language = '', info = ''] = /^ *```(\w*) ?(.*)/.exec(line) ?? []
    if (open !== undefined && fence !== undefined) {
      const { lines, ...named } = open
      blocks.push({ ...named, heading, text: `${lines.join('\n')}\n` })
      open = undefined
    } else if (fence !== undefined) open = { language, info, lines: [] }
    else if (open !== undefined) open.lines.push(line)
    else heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading
  }
  return blocks
}
