import { enableCompileCache } from 'node:module'

// Node keeps what it made of the sources for the next start, which takes half the time. It has to be told before it
// loads them.
enableCompileCache()
await import('./process.ts')
