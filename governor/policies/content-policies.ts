/** Policies on a change's content: secrets, hidden text, binaries, links and skipped files. */
import { findLookalike, findHiddenCharacterKind, findPathLookalike, findSecrets } from '#text-safety';
import type { PublicPlace } from '#model/assessment';
import { findingLocation, pathsOf } from '#model/paths';
import { denyOpinion, escalateOpinion, type PolicyQuestion, type PolicyRows } from '../policy-types.ts';
import { isChangeAction, type GovernedAction } from '../governed-action.ts';
import { listPublicTexts } from '../public-texts.ts';
import { shortenPaths } from '../shorten-paths.ts';
import {
  denyWhere,
  escalateWhere,
  createCommandQuestion,
  createFindingQuestion,
} from '../policy-questions.ts';
import { denialQuestion, escalationQuestion } from './path-policies.ts';

const publicWords = (action: GovernedAction): [PublicPlace, string][] => [
  ...listPublicTexts(action),
  ...(isChangeAction(action) ? action.commit.diff.files : [])
    .flatMap(pathsOf)
    .map((p): [PublicPlace, string] => ['file_name', p]),
];

const checkExposedWords: PolicyQuestion = (_action, { lentIn = [] }) =>
  lentIn.map((where) => denyOpinion({ kind: 'public_text_credential', where }));

const secretWords: PolicyQuestion = (action) =>
  publicWords(action).flatMap(([where, text]) =>
    findSecrets(text).map(({ what, sure }) =>
      (sure ? denyOpinion : escalateOpinion)({ kind: 'public_text_secret', where, secret: what }),
    ),
  );

/** G8: the signer is told how much the phone cannot show. */
const checkHiddenLines: PolicyQuestion = (action) => {
  const hiding = isChangeAction(action)
    ? action.commit.diff.findings.filter((f) => f.kind === 'hidden_line')
    : [];
  const lines = hiding.reduce((n, f) => n + (f.count ?? 1), 0);
  return hiding.length === 0
    ? []
    : [escalateOpinion({ kind: 'hidden_lines', lines, ...shortenPaths(hiding.map(findingLocation)) })];
};

const checkHiddenCommand: PolicyQuestion = (action) => {
  const how = action.kind === 'command' ? findHiddenCharacterKind(action.command) : null;
  return how === null
    ? []
    : [(how === 'bidi' ? denyOpinion : escalateOpinion)({ kind: 'command_hidden', how })];
};

const checkHiddenWords: PolicyQuestion = (action) =>
  publicWords(action).flatMap(([where, text]) => {
    const how = findHiddenCharacterKind(text);
    return how === null
      ? []
      : [(how === 'bidi' ? denyOpinion : escalateOpinion)({ kind: 'public_text_hidden', where, how })];
  });

const lookAlikeWords: PolicyQuestion = (action) =>
  publicWords(action).flatMap(([where, text]) => {
    const found = text
      .split('\n')
      .map(where === 'file_name' ? findPathLookalike : findLookalike)
      .find((one) => one !== null);
    return found
      ? [escalateOpinion({ kind: 'public_text_look_alike', where, as: found.as, characters: found.codes })]
      : [];
  });

export const contentPolicies = {
  'no-secrets': {
    asks: [
      denyWhere(createFindingQuestion('exposed_credential', 'exposed_credential')),
      checkExposedWords,
      // guard: P3-secrets
      denyWhere(createFindingQuestion('secret', 'secret')),
      escalateWhere(createFindingQuestion('likely_secret', 'likely_secret')),
      denialQuestion('sure-key-file'),
      escalationQuestion('likely-key-file'),
      secretWords,
    ],
    version: 1,
    settings: [],
    card: 'own',
  },
  'hidden-lines': { asks: [checkHiddenLines], version: 1, settings: [], card: 'own' },
  'no-write-outside-workspace': {
    asks: [createCommandQuestion({ outside: denyOpinion }), denialQuestion('outside-path')],
    version: 1,
    settings: [],
    card: 'shared',
  },
  'no-symlink-escape': {
    asks: [denyWhere(createFindingQuestion('link_leaves', 'symlink_escape'))],
    version: 1,
    settings: [],
    card: 'shared',
  },
  'no-gitlinks': {
    asks: [denialQuestion('gitlink-added'), escalationQuestion('gitlink-removed')],
    version: 1,
    settings: [],
    card: 'shared',
  },
  'no-binary': {
    asks: [
      escalationQuestion('binary'),
      escalateWhere(createFindingQuestion('lfs_pointer', 'lfs_pointer')),
      escalateWhere(createFindingQuestion('lfs_raw', 'lfs_raw')),
      escalateWhere(createFindingQuestion('filter_raw', 'filter_raw')),
      denyWhere(createFindingQuestion('not_read', 'not_read')),
    ],
    version: 1,
    settings: [],
    card: 'shared',
  },
  'hidden-text': {
    asks: [
      checkHiddenCommand,
      denyWhere(createFindingQuestion('bidi_text', 'bidi_text')),
      escalateWhere(createFindingQuestion('hidden_text', 'hidden_text')),
      escalationQuestion('unseen-end'),
      escalateWhere(
        createFindingQuestion('whitespace_changed', 'unseen_change', 'line_endings_only', 'whitespace_only'),
      ),
      escalateWhere(createFindingQuestion('mixed_script', 'mixed_script')),
      // guard: G8-look-alikes-asked
      escalateWhere(createFindingQuestion('look_alike', 'look_alike')),
      escalateWhere(createFindingQuestion('long_line', 'long_line')),
      checkHiddenWords,
      lookAlikeWords,
    ],
    version: 1,
    settings: [],
    card: 'own',
  },
  'no-odd-files': {
    asks: [
      escalateWhere(
        createFindingQuestion(
          'odd_files',
          'nested_repository',
          'special_file',
          'hard_link',
          'bad_name',
          'too_large',
        ),
      ),
      escalationQuestion('not-on-windows'),
    ],
    version: 1,
    settings: [],
    card: 'shared',
  },
} as const satisfies PolicyRows;
