/** The workflows of a worker that adds the flows by its plugin. The bundler replaces the name by their path. */
declare module '__lockerflow_own_workflows' {}
