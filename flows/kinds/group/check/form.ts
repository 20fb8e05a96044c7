import { z } from 'zod'
import { blockFields } from '../../../check/form/parts/blocks.ts'
import type { StepList } from '../../../check/form/parts/list.ts'

export const form = (steps: StepList) =>
  z
    .strictObject({ ...blockFields, group: steps })
    .readonly()
    .meta({ id: 'Group', description: 'Runs steps one after the other, with one deadline and one policy for errors.' })
