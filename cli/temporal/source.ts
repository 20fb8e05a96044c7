/** Says to a person how something long goes on, a line at a time. */
export type Progress = (line: string) => void

/** What a source needs to know. */
export type SourceContext = { cacheFolder: string; progress: Progress }

/** One way to come by the Temporal command. */
export type Source = {
  title: string
  /** Answers a command that has been tried, or says why not by an error. */
  find(context: SourceContext): Promise<string>
}
