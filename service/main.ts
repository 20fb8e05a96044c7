import { enableCompileCache } from 'node:module'

// Halves the time of later starts. The cache must be enabled before the sources are loaded.
enableCompileCache()
try {
  const { runService } = await import('./process.ts')
  await runService((_ready, line) => console.log(line))
} catch (error) {
  console.error(`service: ${error instanceof Error ? error.message : String(error)}`)
  const { toExitCode } = await import('#platform/settings')
  process.exitCode = toExitCode(error)
}
