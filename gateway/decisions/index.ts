// The pages by which people decide about overdue flows: a part of a Fastify application.
export { type DecisionParts, decisionRoutes } from './routes.ts'
