import { enableCompileCache } from 'node:module'

// Shortens later starts. The cache must be enabled before the sources are loaded.
enableCompileCache()
try {
  const { runWorker } = await import('./process.ts')
  await runWorker((_ready, line) => console.log(line))
} catch (error) {
  console.error(`worker: ${error instanceof Error ? error.message : String(error)}`)
  const { toExitCode } = await import('#platform/settings')
  // A pending response would keep the process alive for minutes.
  process.exit(toExitCode(error))
}
