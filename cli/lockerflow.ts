import nodeModule from 'node:module'
import { argv, stderr, stdout } from 'node:process'

// Halves the time of later starts. The cache must be enabled before the sources are loaded. An import by name would fail to link in
// an older Node, before the package can say which one it needs.
nodeModule.enableCompileCache()
const [
  { runCommand },
  { createInterruption, endWithNpm },
  { bypassProxyOnLoopback, ownEnvironment },
  { verbs, groups },
  { completeEnvironment },
] = await Promise.all([
  import('./command/run.ts'),
  import('./command/interruption.ts'),
  import('#platform/environment'),
  import('./verbs.ts'),
  import('./sandbox/stackEnvironment.ts'),
])
stdout.on('error', (error: NodeJS.ErrnoException) => {
  // As by SIGPIPE: the reader of a list, such as head, has read enough.
  if (error.code === 'EPIPE') process.exit(141)
  stderr.write(`lockerflow: the standard output cannot be written: ${error.message}\n`)
  process.exit(1)
})
// A reader of progress that has ended must not end the verb.
stderr.on('error', () => undefined)
bypassProxyOnLoopback()
const interruption = createInterruption()
endWithNpm(interruption, ownEnvironment())
const code = await runCommand(argv.slice(2), {
  verbs,
  groups,
  readEnvironment: completeEnvironment,
  interruption,
  streams: { stdout, stderr },
})
if (code !== 0) process.exitCode = code
// Not `exitCode` alone: a connection or native thread that is left over would keep the process.
if (code !== 0 || interruption.isUsed) {
  // An exit drops the output that a slow reader of a pipe has not read yet. A failed write of standard output exits above.
  const written = new Promise<void>(resolve => stdout.write('', error => error || resolve()))
  await Promise.all([written, new Promise<void>(resolve => stderr.write('', () => resolve()))])
  process.exit()
}
