import { stat } from 'node:fs/promises'
import { Client, WorkflowNotFoundError } from '@temporalio/client'
import { readTemporalTarget } from '#client/connection'
import { type FlowPicture, type FlowStatus, toWorkflowId } from '#flows'
import { readText } from '#flows/check'
import { CommandFailure, exitCodes } from '../command/failure.ts'
import { connectTemporal } from '../temporalConnection.ts'

/** Milliseconds. */
const queryTimeout = 10_000

/** Bytes. Temporal ends a run whose history has 50 MB, which JSON makes longer. */
const maxHistory = 200_000_000

/** True for the name of a declaration file, or a pattern of such files. Anything else is a case number. */
export function isDeclarationFile(given: string): boolean {
  return /\.(m?[jt]s|ya?ml|json)$|[*?{}[\]]/.test(given)
}

/** True for a folder that is written as a path. A case number may be the name of a folder too. */
export async function isFolder(given: string): Promise<boolean> {
  if (!/^\.|[/\\]/.test(given)) return false
  return stat(given).then(
    found => found.isDirectory(),
    () => false,
  )
}

/** True for an exported history, which may have the name of a declaration in JSON. */
export async function isHistory(file: string): Promise<boolean> {
  if (!file.endsWith('.json')) return false
  const text = await readText(file, maxHistory).catch(() => '')
  return /^\s*(\{\s*"events"\s*:|\[\s*\{\s*"event)/.test(text)
}

/**
 * The picture of a running or ended case, by the query of a worker.
 * @throws CommandFailure if Temporal knows no such case
 * @throws Error if no worker answers, or the flow is not planned yet
 */
export async function readCasePicture(caseNo: string, environment: NodeJS.ProcessEnv): Promise<FlowPicture> {
  const { temporal, namespace, dataConverter } = readTemporalTarget(environment)
  const connection = await connectTemporal(temporal)
  try {
    const client = new Client({ connection, namespace, dataConverter })
    const status = await client.withDeadline(Date.now() + queryTimeout, () =>
      client.workflow.getHandle(toWorkflowId(caseNo)).query<FlowStatus, [object]>('status', { picture: true }),
    )
    if (status.picture) return status.picture
    throw new Error(`case: must be planned before it has a picture, unlike ${caseNo}.`)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    const message = `No flow has the case number ${caseNo}. Files end with .yaml, .json or .ts.`
    throw new CommandFailure('UnknownCase', message, { exitCode: exitCodes.failed })
  } finally {
    await connection.close()
  }
}
