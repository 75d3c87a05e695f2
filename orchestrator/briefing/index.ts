/** Prepares one round of an agent: its prompt, evidence, map and pictures. */
export { createBriefing } from './brief-agent.ts';
