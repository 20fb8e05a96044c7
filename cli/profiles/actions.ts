import { misuse } from '../command/failure.ts'
import { isGiven, textOf } from '../command/values.ts'
import type { VerbAction } from '../command/verb.ts'
import {
  type ProfileVariables,
  profileFile,
  readProfiles,
  requireProfile,
  secretVariables,
  writeProfiles,
} from './file.ts'
import { ask, askSecret, questions } from './questions.ts'

/** Stores the addresses and credentials of a service as a profile, after a sign-in with them. */
export const login: VerbAction = {
  async run(call) {
    const [name = 'default'] = call.values
    if (!/^[\w.-]{1,60}$/.test(name))
      throw misuse(`name: must be 1 to 60 letters, digits, dots, dashes and underscores, got "${name}".`)
    const answers: Record<string, string> = {}
    for (const question of questions) {
      const given = textOf(call, question.option)
      const unset = question.variable === 'LOCKERFLOW_AUTH_URL' ? (answers.LOCKERFLOW_BASE_URL ?? '') : question.unset
      answers[question.variable] = given ?? (await ask({ ...question, unset }))
    }
    answers.LOCKERFLOW_CLIENT_SECRET = await askSecret(`Secret of ${answers.LOCKERFLOW_CLIENT_ID}`)
    if (!isGiven(call, 'offline')) await signIn(answers)
    const file = profileFile(call.environment)
    const { inUse = name, profiles } = readProfiles(file)
    writeProfiles(file, { inUse, profiles: { ...profiles, [name]: answers } })
    const isInUse = inUse === name
    call.output.result({ profile: name, file, inUse: isInUse, ...withoutSecrets(answers) }, () => [
      `profile ${name} stored in ${file}, which only you can read`,
      ...(isInUse ? [`profile ${name} is in use`] : []),
    ])
  },
}

/** Lists the profiles, without their secrets. */
export const list: VerbAction = {
  async run({ environment, output }) {
    const { inUse, profiles } = readProfiles(profileFile(environment))
    const rows = Object.entries(profiles).map(([name, variables]) => ({
      name,
      inUse: name === inUse,
      ...withoutSecrets(variables),
    }))
    output.result(rows, () =>
      Object.entries(profiles).map(
        ([name, { LOCKERFLOW_BASE_URL, LOCKERFLOW_CLIENT_ID, TEMPORAL_ADDRESS }]) =>
          `${name === inUse ? '*' : ' '} ${name}: ${LOCKERFLOW_CLIENT_ID} at ${LOCKERFLOW_BASE_URL}, Temporal ${TEMPORAL_ADDRESS}`,
      ),
    )
  },
}

/** Selects the profile of commands without `--profile`. */
export const use: VerbAction = {
  async run({ values: [name = ''], environment, output }) {
    const file = profileFile(environment)
    const { profiles } = readProfiles(file)
    requireProfile(profiles, name, 'name')
    writeProfiles(file, { inUse: name, profiles })
    output.result({ inUse: name }, () => [`profile ${name} is in use`])
  },
}

/** Ends the use of a profile in commands without `--profile`. */
export const leave: VerbAction = {
  async run({ environment, output }) {
    const file = profileFile(environment)
    const { inUse, profiles } = readProfiles(file)
    if (inUse !== undefined) writeProfiles(file, { profiles })
    output.result({ inUse: null }, () => ['no profile is in use'])
  },
}

/** Removes a profile with its secret. */
export const remove: VerbAction = {
  async run({ values: [name = ''], environment, output }) {
    const file = profileFile(environment)
    const { inUse, profiles } = readProfiles(file)
    requireProfile(profiles, name, 'name')
    const { [name]: _removed, ...kept } = profiles
    writeProfiles(file, { inUse: inUse === name ? undefined : inUse, profiles: kept })
    output.result({ removed: name }, () => [`profile ${name} removed`])
  },
}

/** Wrong credentials are not stored. */
async function signIn(variables: ProfileVariables): Promise<void> {
  const [{ createApi }, { readDrivenService }] = await Promise.all([
    import('#contract/client'),
    import('#platform/settings'),
  ])
  const api = createApi(readDrivenService(variables).api)
  try {
    await api.call('GetPickUpPoints', {})
  } finally {
    await api.close()
  }
}

function withoutSecrets(variables: ProfileVariables): ProfileVariables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !secretVariables.includes(name)))
}
