/** The workflow of GitHub that runs a release. */
export interface Workflow {
  /** The address of its repository; undefined elsewhere. */
  readonly repository: string | undefined
  /** The branch or tag of its run, such as `refs/heads/main`; undefined elsewhere. */
  readonly ref: string | undefined
  /** The file that takes the outputs of a job. */
  readonly output: string | undefined
}

export function readWorkflow(source: NodeJS.ProcessEnv = process.env): Workflow {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, GITHUB_REF: ref, GITHUB_OUTPUT: output } = source
  return { repository: server && name ? `${server}/${name}` : undefined, ref, output }
}
