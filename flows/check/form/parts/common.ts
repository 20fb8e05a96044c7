import { z } from 'zod'
import { sentences } from './sentences.ts'
import { key, source, stepName, summary, text, when } from './values.ts'

const goTo = z.strictObject({ goTo: text }).readonly().meta({
  id: 'GoTo',
  description: 'Leads to a later step of the list, to `done`, its end, or to `end`, that of the flow.',
})

export const onTimeout = z
  .union([z.enum(['remind', 'ask', 'cancel']), goTo], sentences.onTimeout)
  .meta({ id: 'OnTimeout', description: 'The policy for an expired window.' })

export const onError = z
  .record(key, z.union([z.enum(['continue', 'fail']), goTo], sentences.onError))
  .readonly()
  .meta({ id: 'OnError', description: 'The policy for an error, by its code. Absent: the flow fails.' })

const leaves = z.union([summary, z.strictObject({ text: summary, until: text }).readonly()], sentences.leaves).meta({
  id: 'Leaves',
  description:
    'A left-over for a person, if the flow is cancelled, expires or fails after this step, or during this step after work with an unknown outcome. `until` names the later step after which the sentence is no longer true.',
})

export const common = {
  name: stepName.meta({ description: 'Unique in the flow, with the steps of its blocks.' }),
  summary: summary.meta({ description: 'Shown in the Web UI: the action that the flow waits for.' }),
  when: when.exactOptional().meta({ description: 'The step is left out if this is false.' }),
  leaves: leaves.exactOptional(),
}

export const request = source
  .exactOptional()
  .meta({ description: "Absent: the flow's input, for the first step that books or calls." })

export const isNotEmpty = (value: object) => Object.keys(value).length > 0
