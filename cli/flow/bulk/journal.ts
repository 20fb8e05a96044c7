import { type FileHandle, open } from 'node:fs/promises'
import type { Decision } from '#client'
import { misuse } from '../../command/failure.ts'

/** An update for all selected cases. */
export type BulkUpdate =
  | { readonly verb: 'decide'; readonly argument: Decision }
  | { readonly verb: 'cancel'; readonly argument: { readonly reason: string } }

/** A selected case, with its run at that time. */
export interface SelectedCase {
  readonly caseNo: string
  readonly runId: string
}

/** The first line of the report: everything that a resumption needs. */
export interface BulkHead {
  /** The update id of every case derives from it. */
  readonly bulk: string
  readonly startedAt: string
  readonly namespace: string
  readonly where: string
  readonly update: BulkUpdate
  readonly cases: readonly SelectedCase[]
}

/** A further line of the report: the result of one case. */
export interface BulkLine {
  readonly caseNo: string
  /** The kind of the client's result. */
  readonly result: string
  readonly code?: string
  readonly message?: string
  readonly serviceRequestId?: string
  readonly at: string
}

/** The report of a bulk, as JSON lines. It is its progress, too. */
export interface Journal {
  readonly head: BulkHead
  /** The results of an earlier process. */
  readonly lines: readonly BulkLine[]
  add(line: BulkLine): Promise<void>
  close(): Promise<void>
}

/** Creates the report of a new bulk, and writes its head to the disk. @throws CommandFailure when the file exists */
export async function createJournal(path: string, head: BulkHead): Promise<Journal> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'EEXIST'
        ? 'must be a new file; use --resume to continue an existing report'
        : `must be writable: ${error.message}`
    throw misuse(`--report: ${reason}.`)
  })
  await file.write(`${JSON.stringify(head)}\n`)
  // Without the head, a machine that lost power could not resume.
  await file.sync()
  return toJournal(file, head, [])
}

/** Opens the report of a bulk that has begun. @throws CommandFailure for another file */
export async function openJournal(path: string): Promise<Journal> {
  const file = await open(path, 'r+').catch((error: Error) => {
    throw misuse(`--resume: must be the report of a bulk command: ${error.message}.`)
  })
  const text = await file.readFile('utf8')
  // A killed process can leave a part of a line.
  const complete = text.slice(0, text.lastIndexOf('\n') + 1)
  await file.truncate(Buffer.byteLength(complete))
  const [head, ...lines] = complete.split('\n').filter(Boolean).map(parseLine)
  if (isHead(head)) {
    // Two processes that resume a bulk at once write two lines for a case.
    const byCase = new Map((lines as BulkLine[]).map(line => [line.caseNo, line]))
    return toJournal(file, head, [...byCase.values()], Buffer.byteLength(complete))
  }
  await file.close()
  throw misuse(`--resume: must be the report of a bulk command, got "${path}".`)
}

function toJournal(file: FileHandle, head: BulkHead, lines: readonly BulkLine[], from?: number): Journal {
  let end = from
  // One write at a time: two at once would mix their lines.
  let writing: Promise<unknown> = Promise.resolve()
  return {
    head,
    lines,
    add(line) {
      const text = Buffer.from(`${JSON.stringify(line)}\n`)
      const next = writing.then(async () => {
        await file.write(text, 0, text.length, end)
        if (end !== undefined) end += text.length
      })
      writing = next.catch(() => undefined)
      return next
    },
    async close() {
      await writing
      await file.close()
    },
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isHead(value: unknown): value is BulkHead {
  const { bulk, namespace, update, cases } = (value ?? {}) as Partial<BulkHead>
  return typeof bulk === 'string' && typeof namespace === 'string' && typeof update === 'object' && Array.isArray(cases)
}
