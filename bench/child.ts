import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A process that does jobs, one at a time; a job and its result are plain data. */
export interface Child<Job, Result> {
  run(job: Job): Promise<Result>
  stop(): Promise<void>
}

/** Starts the module at `url`, which answers to `serveJobs`, with options for Node. */
export function startChild<Job extends object, Result>(url: URL, execArgv: string[] = []): Child<Job, Result> {
  const child: ChildProcess = fork(url, { stdio: 'inherit', execArgv: [...process.execArgv, ...execArgv] })
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`${url.pathname} ended with ${code}`)
  })
  gone.catch(() => undefined)
  return {
    async run(job) {
      child.send(job)
      const [answer] = await Promise.race([once(child, 'message'), gone])
      return answer as Result
    },
    async stop() {
      if (child.connected) child.disconnect()
      await gone.catch(() => undefined)
    },
  }
}

/** The other side of it. */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('message', job => void work(job as Job).then(result => process.send?.(result)))
  process.once('disconnect', () => process.exit())
}
