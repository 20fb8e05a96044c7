import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../project/sources.ts'
import { markdownPages } from './markdown.ts'

export interface Decision {
  /** For instance `D-017`. */
  readonly id: string
  readonly title: string
}

/** Every decision of docs/explanation/decisions: its id follows an anchor of the same name, then comes its title. */
export function readDecisions(): Decision[] {
  const pages = markdownPages().filter(path => path.startsWith('docs/explanation/decisions/'))
  return pages.flatMap(page => decisionsIn(readFileSync(join(root, page), 'utf8')))
}

export function decisionsIn(text: string): Decision[] {
  const entries = text.matchAll(/<a id="d-(\d{3})"><\/a>(D-\1)(?: \| ([^|\n]+) \||[ ](.+)$)/gm)
  return [...entries].map(([, , id = '', cell, heading]) => ({ id, title: (cell ?? heading ?? '').trim() }))
}
