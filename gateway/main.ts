import { enableCompileCache } from 'node:module'

// Shortens later starts. The cache must be enabled before the sources are loaded.
enableCompileCache()
try {
  const { runGateway } = await import('./process.ts')
  await runGateway((_ready, line) => console.log(line))
} catch (error) {
  console.error(`gateway: ${error instanceof Error ? error.message : String(error)}`)
  const { toExitCode } = await import('#platform/settings')
  process.exitCode = toExitCode(error)
}
