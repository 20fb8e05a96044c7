import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { pagePath } from '#contract'
import { page, scriptPath, start, startPath } from './page.ts'
import { readScript } from './script.ts'

/** A file of the reference page. */
export interface PageFile {
  readonly path: string
  readonly type: string
  /** Its text; read when somebody asks for it. */
  read(): Promise<string>
}

/** All that a browser asks the service for to show the page, but for the document. */
export const pageFiles: readonly PageFile[] = [
  { path: pagePath, type: 'text/html; charset=utf-8', read: async () => page },
  { path: startPath, type: 'text/javascript; charset=utf-8', read: async () => start },
  { path: scriptPath, type: 'text/javascript; charset=utf-8', read: readScript },
]

/** A file as it is kept to be sent. */
export interface HeldFile {
  readonly bytes: Buffer
  readonly zipped: Buffer
  /** Changes when the text does. */
  readonly tag: string
}

/** Reads a file when it is first asked for, once; a reading that fails is tried again. */
export function holdFile({ read }: PageFile): () => Promise<HeldFile> {
  let held: Promise<HeldFile> | undefined
  async function hold(): Promise<HeldFile> {
    const bytes = Buffer.from(await read())
    const digest = createHash('sha256').update(bytes).digest('base64url')
    return { bytes, zipped: await promisify(gzip)(bytes), tag: `"${digest}"` }
  }
  return () => {
    held ??= hold().catch(error => {
      held = undefined
      throw error
    })
    return held
  }
}
