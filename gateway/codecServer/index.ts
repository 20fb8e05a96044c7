// Decrypts payloads for the Web UI and the `temporal` command, as a process of its own.
// Commands and tests import this file; production starts main.ts.
export { type CodecServer, startCodecServer } from './server.ts'
export { type CodecServerSettings, codecServerVariables, readSettings as readCodecServerSettings } from './settings.ts'
