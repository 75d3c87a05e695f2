/** When work may begin: rounds of jobs, writes to the code host, pull requests to strangers, providers that refuse. */
export { createReputation } from './limit-third-party-pulls.ts';
export { createProviderPauses, type ProviderPauses } from './provider-pauses.ts';
export { startRounds, type RepeatingJob } from './repeating-job.ts';
export { ThirdPartySettings } from './stranger-allowance.ts';
export { createWriters } from './write-limiter.ts';
export { createOpeningHolds, OpeningSettings, windowFor } from './hold-openings.ts';
export { OpeningCapSettings } from './opening-caps.ts';
