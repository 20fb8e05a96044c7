import type { z } from 'zod'
import type { Step } from '#flows/declaration'

/** The form of the steps of a list, which can be blocks. */
export type StepList = z.ZodType<readonly Step[], readonly Step[]>
