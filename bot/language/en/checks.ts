/** F3: English explanations of the code host's check results. Plain text, not escaped. */
import type { CiVerdictReason } from '../../../orchestrator/model/ci-records.ts';
import type { SentenceCatalogue } from '../../text/catalogue.ts';

const required = (is: boolean): string => (is ? ', required' : '');

export const enCheckReasons: SentenceCatalogue<CiVerdictReason> = {
  unseen: () => '',
  silent: () => 'no check has reported yet',
  failed: ({ name, required: is }) => `“${name}” failed${required(is)}`,
  missing: ({ name, since }, { age }) => `waits for “${name}”, required, not reported for ${age(since)}`,
  imitated: ({ name, since }, { age }) =>
    `waits for “${name}”, required from a different app than the one that reported it, missing for ${age(since)}`,
  runs: ({ name, required: is }) => `waits for “${name}”${required(is)}, not finished`,
  held: ({ name }) =>
    name === null ? 'a maintainer has to press “Approve and run”' : `“${name}” waits for a maintainer`,
  stale: ({ name }) => `“${name}” never ended: GitHub gave up on it after 14 days. Re-run it on GitHub.`,
  settles: () => 'All that have reported passed; AgentPR looks once more',
  unread: () => 'some cannot be read',
  unsure: ({ name }) => `the branch requires “${name}”, which AgentPR cannot judge: look on GitHub`,
  skipped: ({ name }) => `“${name}” is required and was skipped; GitHub counts that as passed`,
  none_ran: () => 'none of them ran: all were skipped or had nothing to say',
  queue: () => 'a merge queue runs them once more before the merge',
};
