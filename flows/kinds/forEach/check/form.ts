import { z } from 'zod'
import { blockFields, until } from '../../../check/form/parts/blocks.ts'
import type { StepList } from '../../../check/form/parts/list.ts'
import { limits, sentences } from '../../../check/form/parts/sentences.ts'
import { key, name, path, source } from '../../../check/form/parts/values.ts'

const items = z.int(sentences.items).min(1, sentences.items).max(limits.items, sentences.items)

export const form = (steps: StepList) =>
  z
    .strictObject({
      ...blockFields,
      forEach: path.meta({ description: 'A list of the input or of an output.' }),
      item: name.meta({ description: 'The first word of paths to the item.' }),
      key: key
        .exactOptional()
        .meta({ description: 'A text field of the item that is unique in the list. Absent: its place, from 0.' }),
      atMost: items.meta({ description: 'The longest list. A longer one fails the block before its first effect.' }),
      atOnce: items.exactOptional().meta({ description: 'The items that run at once. Absent: all of them.' }),
      onItemError: z.enum(['continue', 'fail']).exactOptional().meta({
        description: 'continue: an item that fails is undone, and the others go on. Default fail: all are undone.',
      }),
      until: until.exactOptional(),
      steps,
      collect: z
        .record(key, source)
        .readonly()
        .exactOptional()
        .meta({ description: 'The fields of each item in the output of the block.' }),
    })
    .readonly()
    .meta({ id: 'ForEach', description: 'Runs its steps for each item of a list.' })
