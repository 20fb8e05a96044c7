import { createAdapter } from './adapter.ts'
import type { Check, CheckContext, CheckedDoor } from './context.ts'
import { eventChecks } from './eventChecks.ts'
import { startEventReceiver } from './eventReceiver.ts'
import { requestChecks } from './requestChecks.ts'

export interface CheckOptions {
  /** Address of the adapter. */
  readonly url: string
  readonly key: string
  /** A door that may be opened about twenty times. */
  readonly door: CheckedDoor
  /** Where the checks listen for events; 0 is a free port. Without it they receive none. */
  readonly events: { readonly host: string; readonly port: number } | undefined
  /** Runs only the checks whose names contain this text. */
  readonly only?: string | undefined
  /** Milliseconds for an event, repetitions included. */
  readonly eventTimeout?: number | undefined
}

export interface CheckResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'left out'
  readonly reason?: string
}

const defaultEventTimeout = 10_000

/** Runs the checks over HTTP, one after the other. */
export async function checkAdapter(
  { url, key, door, events, only = '', eventTimeout = defaultEventTimeout }: CheckOptions,
  onResult: (result: CheckResult) => void = () => undefined,
): Promise<readonly CheckResult[]> {
  const receiver = events && (await startEventReceiver({ ...events, key, timeout: eventTimeout }))
  const adapter = createAdapter(url.replace(/\/+$/, ''), key)
  const context: CheckContext = { adapter, key, door, validIds: new Set(), events: receiver }
  const checks = [...requestChecks, ...eventChecks].filter(({ name }) => name.includes(only))
  const results: CheckResult[] = []
  try {
    for (const check of checks) {
      const result = await runCheck(check, context)
      results.push(result)
      onResult(result)
    }
  } finally {
    await receiver?.stop()
  }
  return results
}

async function runCheck({ name, needsEvents, run }: Check, context: CheckContext): Promise<CheckResult> {
  if (needsEvents && context.events === undefined) return { name, outcome: 'left out' }
  try {
    await run(context)
    return { name, outcome: 'passed' }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { name, outcome: 'failed', reason: error.message }
  }
}
