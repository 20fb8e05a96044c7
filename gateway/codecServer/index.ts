// Decrypts payloads for the Web UI and the `temporal` command, as a process of its own.
// Commands and tests import this door; production starts main.ts.
export { codecServerVariables, readEnvironment as readCodecServerSettings } from './environment.ts'
export { type CodecServer, startCodecServer } from './process.ts'
export type { CodecServerSettings } from './settings.ts'
