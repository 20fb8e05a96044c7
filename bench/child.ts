import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A process that runs jobs, one at a time. Jobs and results are plain data. */
export interface Child<Job, Result> {
  run(job: Job): Promise<Result>
  stop(): Promise<void>
}

/** Forks the module at `url`, which must call `serveJobs`, with options for Node and further environment variables. */
export function startChild<Job extends object, Result>(
  url: URL,
  execArgv: string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Child<Job, Result> {
  const env = { ...process.env, ...variables }
  const child: ChildProcess = fork(url, { stdio: 'inherit', execArgv: [...process.execArgv, ...execArgv], env })
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${url.pathname} ended with ${code}`)
  })
  exited.catch(() => undefined)
  return {
    async run(job) {
      child.send(job)
      const [result] = await Promise.race([once(child, 'message'), exited])
      return result as Result
    },
    async stop() {
      if (child.connected) child.disconnect()
      await exited.catch(() => undefined)
    },
  }
}

/** Runs the jobs of the parent process; called by the forked module. */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('message', job => void work(job as Job).then(result => process.send?.(result)))
  process.once('disconnect', () => process.exit())
}
