import { buildPackages } from './build.ts'

await buildPackages()
