/** Says the lines of cards and campaigns that are made of several sentences or counts. */
import type { CampaignTally } from '#campaign-standing';
import type { CampaignLesson } from '#model/feedback';
import type { CampaignTrigger } from '#model/schedule';
import { type RuleKind, shortCommand } from '#model/contract';
import type { CommandFailure, CiVersions, EnvironmentGap } from '#model/environment';
import type { FailureDetail } from '#model/failure';
import { sayRecord, type SentenceCatalogue } from '../text/sentence-catalogue.ts';
import { extendSentences } from './extend-sentences.ts';
import type { SentenceTree } from './sentence-tree.ts';

const versionsOf = (
  says: SentenceTree['environmentGaps'],
  { oldest, newest }: Omit<CiVersions, 'name'>,
): string => {
  if (newest === null) return says.versionsFrom(oldest);
  return oldest === newest ? oldest : says.versionsBetween(oldest, newest);
};

/** Ends a sentence about a check that is red with and without the change. */
const composeEnvironmentGap =
  ({ environmentGaps: says, checkNeeds, lackedThings }: SentenceTree) =>
  (gap: EnvironmentGap): string => {
    switch (gap.kind) {
      case 'needs':
        return says.needs(gap.needs.map(({ kind, names }) => says.need(checkNeeds[kind], names)));
      case 'tool_version':
        return says.toolVersion(gap.name, gap.asked, gap.version);
      case 'ci_version':
        return says.ciVersion(gap.name, versionsOf(says, gap), gap.version);
      case 'time_limit':
        return says.timeLimit;
      case 'lacks':
        return says.lacks(lackedThings[gap.what]);
      case 'no_program':
        return says.noProgram(gap.program);
      case 'install_fails':
        return says.installFails(shortCommand(gap.command));
      case 'ci_green':
        return says.ciGreen;
    }
  };

const signatureStage = (have: number, needed: number, { isNamed }: { isNamed: boolean }) => {
  if (have === 0) return 'none';
  if (have >= needed) return 'enough';
  if (isNamed) return 'named';
  return have + 1 === needed ? 'last' : 'more';
};

export const composeCards = (
  tree: SentenceTree,
  { failedInDetail }: { failedInDetail: (detail: FailureDetail) => string },
) => ({
  evidence: extendSentences(tree.evidence, {
    overLimit: (name: string, { limit, says }: CommandFailure) =>
      tree.evidence.overLimit(name, limit ? failedInDetail(limit) : says),
    environmentGap: composeEnvironmentGap(tree),
    more: (passed: number, others: number) =>
      [
        ...(passed > 0 ? [tree.evidence.morePassed(passed)] : []),
        ...(others > 0 ? [tree.evidence.moreOthers(others)] : []),
      ].join(' · '),
  }),
  card: extendSentences(tree.card, {
    checks: (
      passed: number,
      all: number,
      before: { n: number; ref: string; untested: number; unjudged: number },
    ) => tree.card.checks({ all, isAll: passed === all, passed, ...before, failing: before.n }),
    signed: (have: number, needed: number, names: string, isNamed = false) =>
      tree.card.signed({
        stage: signatureStage(have, needed, { isNamed }),
        have,
        needed,
        names,
        next: have + 1,
      }),
  }),
  buttons: extendSentences(tree.buttons, {
    begin: (fix: number, reply: number) =>
      tree.buttons.begin([
        ...(fix > 0 ? [tree.buttons.toFix(fix)] : []),
        ...(reply > 0 ? [tree.buttons.toAnswer(reply)] : []),
      ]),
  }),
});

const IDLE = ['waiting', 'later', 'leftOut', 'stopped', 'unwanted', 'elsewhere'] as const;

export const composeCampaigns = (tree: SentenceTree) => {
  const came: SentenceCatalogue<CampaignTrigger> = tree.campaignCame;
  const source: SentenceCatalogue<CampaignTrigger> = tree.campaignSource;
  const firsts: Partial<Record<RuleKind, string>> = tree.campaign.firsts;
  const notStarted = (tally: CampaignTally): string =>
    tree.campaign.notStarted(
      IDLE.filter((one) => tally[one] > 0).map((one) => tree.campaignIdle[one](tally[one])),
    );
  return extendSentences(tree.campaign, {
    firsts,
    looking: (n: number, queries: string) =>
      tree.campaign.looking([
        ...(n > 0 || queries === '' ? [tree.campaign.lookingAt(n)] : []),
        ...(queries === '' ? [] : [tree.campaign.lookingFor(queries)]),
      ]),
    found: (query: string, repos: number, given: number, of: number, isWhole: boolean) => {
      const extent = given < of ? 'cut' : isWhole ? 'whole' : 'stopped';
      return tree.campaign.found({ query, repos, extent, given, of });
    },
    came: (trigger: CampaignTrigger): string => sayRecord(came, trigger),
    source: (trigger: CampaignTrigger): string => sayRecord(source, trigger),
    notStarted,
    lastStep: (tally: CampaignTally) => tree.campaign.lastStep(notStarted(tally)),
    wish: (lesson: CampaignLesson): string =>
      lesson.from === 'checks' ? tree.campaignWish.checks(lesson) : tree.campaignWish.said(lesson),
  });
};
