import { existsSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { slowFiles } from './slowFiles.ts'

/** Starts the slow files first. The order of all others is that of vitest. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    for (const path of slowFiles) if (!existsSync(path)) console.warn(`slowFiles.ts: ${path} does not exist.`)
    const isLate = ({ moduleId }: TestSpecification) => Number(!slowFiles.some(path => moduleId.endsWith(`/${path}`)))
    return (await super.sort(files)).toSorted((a, b) => isLate(a) - isLate(b))
  }
}
