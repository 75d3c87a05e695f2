/** Says records of failures, findings and refusals: which sentence, and what it is filled in with. */
import {
  canCaListHelp,
  type HostRefusal,
  type HostRefusalKind,
  isRefusal,
  type FailureDetail,
  type PollFailure,
  type PollPart,
} from '#model/failure';
import type { CiVerdictReason } from '#model/ci';
import type { CommandProblem } from '#model/chat';
import { shellName, issueLocation, type ExpectedValue, type ValidationIssue } from '#model/settings';
import type { Finding, FindingNote, SecretName } from '#model/change';
import { sayRecord, type SentenceCatalogue } from '../text/sentence-catalogue.ts';
import { extendSentences } from './extend-sentences.ts';
import type { SentenceTree } from './sentence-tree.ts';

type Of<Union extends { kind: string }, Kind extends Union['kind']> = Union & { kind: Kind };

const certificateProblem = (code: string): keyof SentenceTree['certificates'] => {
  if (code === 'CERT_HAS_EXPIRED') return 'expired';
  if (code === 'CERT_NOT_YET_VALID') return 'not_yet_valid';
  if (code === 'CERT_REVOKED') return 'revoked';
  return /ALTNAME|HOSTNAME/.test(code) ? 'other_name' : 'unknown_authority';
};

const capitaliseFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const composeHostRefusals = ({ hostRefusals, certificates, parties }: SentenceTree) => {
  const fillRefusal = (refusal: HostRefusal, party: string) => ({
    ...refusal,
    party,
    capitalParty: capitaliseFirst(party),
    problem: certificates[certificateProblem(refusal.code ?? '')],
    step: certificates[canCaListHelp(refusal.code ?? '') ? 'nameAuthority' : 'askThem'],
  });
  const says: Record<HostRefusalKind, (of: ReturnType<typeof fillRefusal>) => string> = hostRefusals;
  const wayRefused = (refusal: HostRefusal, party: string): string =>
    says[refusal.kind](fillRefusal(refusal, party)).trim();
  return { wayRefused, hostRefused: (refusal: HostRefusal) => wayRefused(refusal, parties.host) };
};

const composeFailures = (
  tree: SentenceTree,
  { wayRefused, hostRefused }: ReturnType<typeof composeHostRefusals>,
) => {
  const onWay = (party: 'chat' | 'bucket', refusal: HostRefusal): string =>
    tree.failureDetails.not_reached({ party, why: wayRefused(refusal, tree.parties[party]) });
  const sentences: SentenceCatalogue<Exclude<FailureDetail, HostRefusal>> = extendSentences(
    tree.failureDetails,
    {
      bucket_refused: ({ why, status }: Of<FailureDetail, 'bucket_refused'>) =>
        tree.failureDetails.bucket_refused({ problem: tree.bucketRefusals[why], status }),
    },
  );
  /** A failure without a record was told in English. */
  const markUntranslated = (words: string): string => (words === '' ? '' : tree.marks.untranslated(words));
  const renderFailureDetail = (detail: FailureDetail): string =>
    !isRefusal(detail)
      ? sayRecord(sentences, detail)
      : detail.party === undefined
        ? hostRefused(detail)
        : onWay(detail.party, detail);
  return {
    failedInDetail: renderFailureDetail,
    untranslated: markUntranslated,
    /** The ledger may hold a detail of another version. */
    knowsFailure: (detail: { kind: string }): boolean =>
      isRefusal(detail) || Object.hasOwn(sentences, detail.kind),
    /** The record replaces the words that came with it. */
    refused: ({ says, detail }: { says: string; detail?: FailureDetail }): string =>
      detail ? renderFailureDetail(detail) : markUntranslated(says),
  };
};

const composeFindings = (tree: SentenceTree) => {
  /** Follows the pronunciation: an npm token, an AWS key. */
  const startsWithVowel = (name: string): boolean => /^(?:[aeio]|npm|xAI|NVIDIA)/i.test(name);
  const secretName = ({ noun, of }: SecretName): string =>
    tree.secrets.named(startsWithVowel(of === '' ? tree.secretNames[noun] : of), of, tree.secretNames[noun]);
  const notes: SentenceCatalogue<FindingNote> = extendSentences(tree.findingNotes, {
    looks_like: ({ secret }: Of<FindingNote, 'looks_like'>) =>
      tree.findingNotes.looks_like({ secret: secretName(secret) }),
  });
  const findingNote = ({ note, more = 0 }: Pick<Finding, 'note' | 'more'>): string =>
    `${sayRecord(notes, note)}${more > 0 ? tree.findings.more(more) : ''}`;
  return { secretName, findingNote };
};

const composeMisfits = ({ expected, misfits, marks }: SentenceTree) => {
  const expectedValues: SentenceCatalogue<ExpectedValue> = extendSentences(expected, {
    either: ({ some }: Of<ExpectedValue, 'either'>) =>
      some.map((one) => sayRecord(expectedValues, one)).join(marks.or),
    said: ({ says }: Of<ExpectedValue, 'said'>) => expected.said({ says: says.replace(/\.$/, '') }),
  });
  const misfit = (it: ValidationIssue, where: string): string => {
    const at = issueLocation(it.path);
    if (it.kind === 'unknown') {
      const { key, near, known } = it;
      return misfits.unknown({ at, where, key: key.slice(0, 60), near, known });
    }
    const filled = { at, where, found: it.found, must: sayRecord(expectedValues, it.may) };
    return at === '' ? misfits.whole(filled) : misfits.value(filled);
  };
  return { expectedValues, misfit };
};

const composeProblems = (
  { problems, places }: SentenceTree,
  misfit: (it: ValidationIssue, where: string) => string,
): SentenceCatalogue<CommandProblem> => {
  const sentences: SentenceCatalogue<CommandProblem> = extendSentences(problems, {
    file_faults: ({ faults, more }: Of<CommandProblem, 'file_faults'>) =>
      problems.file_faults({ all: faults.map((one) => sayRecord(sentences, one)), more }),
    file_value: ({ line, misfit: it }: Of<CommandProblem, 'file_value'>) => {
      const isWhole = it.path.length === 0;
      return problems.file_value({
        isWhole,
        line,
        wrong: misfit(it, isWhole ? places.theFile : places.file),
      });
    },
    picture_large: ({ most }: { most: number }) => problems.picture_large({ mb: most / 1_000_000 }),
    picture_gone: ({ most }: { most: number }) => problems.picture_gone({ mb: most / 1_000_000 }),
    misplaced: (it: Of<CommandProblem, 'misplaced'>) =>
      problems.misplaced({ ...it, shellName: shellName(it.name) }),
  });
  return sentences;
};

const composeOutages = ({ sight }: SentenceTree, hostRefused: (refusal: HostRefusal) => string) => {
  const partNames = (parts: readonly PollPart[]): string[] => parts.map((part) => sight.parts[part]);
  return extendSentences(sight, {
    short: ({ kind, status, parts }: PollFailure): string => {
      if (kind === 'long') return sight.says.long(partNames(parts));
      if (kind === 'ours' || kind === 'limit') return sight.says[kind];
      return status === null ? sight.says.unreached : sight.says.status(status);
    },
    unread: (parts: readonly PollPart[]): string => sight.unread(partNames(parts)),
    todo: ({ kind, parts, refusal }: PollFailure): string => {
      // The missing permissions are derived from the poll's parts instead.
      if (refusal && refusal.kind !== 'right_missing') return hostRefused(refusal);
      if (kind !== 'forbidden') return sight.todos[kind];
      const wanted = [...new Set(parts.map((part) => sight.permissions[part]))];
      return sight.todos.forbidden(wanted, parts.includes('reports'));
    },
  });
};

export const composeRecords = (tree: SentenceTree) => {
  const host = composeHostRefusals(tree);
  const misfits = composeMisfits(tree);
  const checkWhys: SentenceCatalogue<CiVerdictReason> = extendSentences(tree.checkWhys, {
    missing: (why: Of<CiVerdictReason, 'missing'>, { age }: { age: (at: number) => string }) =>
      tree.checkWhys.missing({ ...why, since: age(why.since) }),
    imitated: (why: Of<CiVerdictReason, 'imitated'>, { age }: { age: (at: number) => string }) =>
      tree.checkWhys.imitated({ ...why, since: age(why.since) }),
  });
  return {
    ...host,
    ...composeFailures(tree, host),
    ...composeFindings(tree),
    ...misfits,
    problems: composeProblems(tree, misfits.misfit),
    sight: composeOutages(tree, host.hostRefused),
    checkWhys,
  };
};
