import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that mostly wait. Started late, one of them is what the whole run waits for at its end. */
const slow = [
  'test/worker/versioning/ramp.test.ts',
  'test/workflows/stages/everyWindow.test.ts',
  'test/docs/replaceKeys.test.ts',
  'test/release/installed.test.ts',
  'test/attack/attack.test.ts',
  'test/cli/devAndDemo.test.ts',
]

/** Starts the slow files first. The order of all others is that of vitest. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLate = ({ moduleId }: TestSpecification) => Number(!slow.some(path => moduleId.endsWith(`/${path}`)))
    return (await super.sort(files)).toSorted((a, b) => isLate(a) - isLate(b))
  }
}
