/** Every field of the seal with another value than a card of the tests has. */
import { isDeepStrictEqual } from 'node:util';
import { SealFields } from '#model/seal';

/** A field that the seal gets, and this list has not, does not compile. */
const OTHERS = {
  action: 'push',
  baseRepoId: '8',
  headRepoId: '9',
  baseRef: 'release',
  mergeBase: 'b'.repeat(40),
  headSha: 'c'.repeat(40),
  tree: 'd'.repeat(40),
  diff: 'another diff',
  diffFacts: 'e'.repeat(64),
  branch: 'another-branch',
  author: 'mallory <mallory@example.com>',
  signer: 'SHA256:another-key',
  title: 'Another title',
  body: 'Another body.',
  pullBody: 'Another description.',
  pushes: true,
  draft: true,
  setup: {
    readyWhenGreen: true,
    labels: ['other'],
    reviewers: [],
    teams: [],
    assignees: [],
    milestone: null,
  },
  maintainerCanModify: true,
  conflicts: true,
  policyVersion: 'other policies',
  assessment: { decision: 'escalate', risk: 'high', reasons: [], factors: [], policyVersion: 'p0' },
  evidence: [{ kind: 'check_config', path: 'other.yml' }],
  rules: [{ kind: 'dco', quote: 'Sign your work.', file: 'OTHER.md' }],
} satisfies Required<SealFields>;

export const SEALED_FIELDS: readonly (keyof SealFields)[] = SealFields.keyof().options;

/** The same fields but for this one, which is another or gone. */
export const withOther = (fields: SealFields, field: keyof SealFields): SealFields => {
  const { [field]: was, ...rest } = fields;
  const other = OTHERS[field];
  return (isDeepStrictEqual(was, other) ? rest : { ...fields, [field]: other }) as SealFields;
};
