/** What an agent is told and given for one round. */
export { createBriefing } from './brief-agent.ts';
