/** English texts for differences between the approved and the current state. */
import type { SealDifference, SealFields } from '../../../orchestrator/model/seal.ts';
import type { SentenceCatalogue } from '../../text/catalogue.ts';

const fields: Record<keyof SealFields, string> = {
  action: 'the action',
  baseRepoId: 'the target repository',
  headRepoId: 'the repository of the branch',
  baseRef: 'the target branch',
  mergeBase: 'the commit the change starts from',
  headSha: 'the head commit',
  tree: 'the files',
  diff: 'the diff',
  diffFacts: 'what the card says of the diff',
  branch: 'the branch',
  author: 'the author',
  signer: 'the key that signed it',
  title: 'the title',
  body: 'the description',
  pullBody: 'the new description',
  pushes: 'whether the branch is pushed as well',
  draft: 'the draft flag',
  maintainerCanModify: 'whether maintainers may push',
  conflicts: 'whether it conflicts with the target',
  policyVersion: 'the policies',
  assessment: 'the assessment',
  evidence: 'the evidence of the checks',
  rules: 'what the repository asks of contributions',
};

export const enChangedSinceApproval: SentenceCatalogue<SealDifference> = {
  field: ({ field, from, to }) => `${fields[field]} moved${from + to === '' ? '' : `: ${from} → ${to}`}`,
  conflicts: () => 'the change conflicts with the target branch',
  rules: ({ added, gone }) =>
    [
      ...added.map(({ quote, file }) => `the repository asks for more now: “${quote}” (${file})`),
      ...gone.map(({ quote, file }) => `the repository no longer asks: “${quote}” (${file})`),
    ].join('; '),
  branch_head: ({ from, to }) => `the branch on the code host moved: ${from} → ${to ?? 'gone'}`,
  kept: () => 'what the ledger keeps is not what was approved',
};
