/** A server of the run, with the number of projects that use it. */
interface Shared {
  readonly started: Promise<{ readonly value: unknown; stop(): Promise<void> }>
  users: number
}

// Not in a module: vitest evaluates a set-up file once per project.
const key = Symbol.for('lockerflow.test.servers')
const holder = globalThis as { [key]?: Map<string, Shared> }
holder[key] ??= new Map()
const servers = holder[key]

/** Starts a server for the first project that needs it. The last project that stops it ends it. */
export async function shareServer<Value>(
  name: string,
  start: () => Promise<{ readonly value: Value; stop(): Promise<void> }>,
): Promise<{ readonly value: Value; stop(): Promise<void> }> {
  const shared = servers.get(name) ?? { started: start(), users: 0 }
  servers.set(name, shared)
  shared.users++
  const { value, stop } = await shared.started
  return {
    value: value as Value,
    async stop() {
      if (--shared.users === 0) await stop()
    },
  }
}
