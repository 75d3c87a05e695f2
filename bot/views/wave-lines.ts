import { findStoppedTargets } from '#campaign-standing';
import { hasLinks, waveByTarget } from '#model/targets';
import { cutText } from '#model/values';
import type { LanguageTexts } from '../language/languages.ts';
import { showPath } from '../text/telegram-html.ts';
import { campaignLine, type CampaignScene } from './campaign-lines.ts';

const MAX_SHOWN_ROWS = 6;

const UNMERGED = ['failed', 'denied', 'cancelled', 'skipped', 'done'] as const;
type UnmergedMark = (typeof UNMERGED)[number] | 'out';

export const waveLines = (scene: CampaignScene, words: LanguageTexts): string[] => {
  const { order, campaign } = scene;
  if (!hasLinks(order.targets)) return [];
  const t = words.campaign.waves;
  const waves = waveByTarget(order.targets);
  const stopped = new Map(
    [...findStoppedTargets(order, campaign, scene.standings)].flatMap(([by, some]) =>
      some.map((repo) => [repo, by] as const),
    ),
  );
  const byWave = [...Map.groupBy(order.targets, ({ repo }) => waves.get(repo.toLowerCase()) ?? 0)];
  const markOf = (repo: string): UnmergedMark => {
    const run = [...scene.standings.values()].find((one) => one.repo.toLowerCase() === repo.toLowerCase());
    return UNMERGED.find((mark) => mark === run?.mark) ?? 'out';
  };
  const rankOf = ({ repo }: { repo: string }): number => {
    if (stopped.has(repo)) return 0;
    const mark = scene.standings.get(repo)?.mark;
    return mark === undefined ? 2 : mark === 'merged' ? 3 : 1;
  };
  const describeTarget = ({ repo, after = [] }: (typeof order.targets)[number]): string => {
    const link = campaign.links?.find((one) => one.repo.toLowerCase() === repo.toLowerCase());
    const run = scene.standings.get(repo);
    const by = stopped.get(repo);
    const before = after.map((one) => (one.until === 'released' ? t.release(one.repo) : one.repo));
    const came = after.length > 0 ? [t.waits(before.join(', '))] : [];
    if (by !== undefined) return t.stopped(by, markOf(by));
    if (!run) return [...came, ...(came.length > 0 ? [] : [t.later])].join(', ');
    return [
      link ? t.merged(link.commit.slice(0, 12)) : words.campaign.marks[run.mark],
      ...(link?.tag === undefined ? [] : [t.released(link.tag)]),
      ...(link?.refusedTag === undefined ? [] : [t.refused]),
    ].join(', ');
  };
  return byWave
    .sort(([a], [b]) => a - b)
    .flatMap(([wave, some]) => [
      campaignLine(t.of(wave + 1, byWave.length, some.length)),
      ...some
        .toSorted((a, b) => rankOf(a) - rankOf(b))
        .slice(0, MAX_SHOWN_ROWS)
        .map((target) => {
          const pull = scene.pulls.get(target.repo)?.id ?? '';
          return `· ${showPath(`${target.repo}${pull}`, 60)} ${campaignLine(cutText(describeTarget(target), 160))}`;
        }),
      ...(some.length > MAX_SHOWN_ROWS
        ? [campaignLine(words.campaign.more(some.length - MAX_SHOWN_ROWS))]
        : []),
    ]);
};
