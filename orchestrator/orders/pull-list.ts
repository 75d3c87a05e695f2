/** Parses a campaign and a list of pull request URLs (F5). Pure. */
import { z } from 'zod';
import { MAX_ADOPTED_PULLS, OpaqueId, RepositoryName } from '#model/order';
import { unusableArgument, toWrongArgument, type WrongArgument } from '#model/chat';
import { parseRepoLink } from './repository-links.ts';

export const NamedPull = z.object({ repo: RepositoryName, pull: OpaqueId, host: z.string().nullable() });
export type NamedPull = z.infer<typeof NamedPull>;

export const PullList = z.object({
  campaign: z.string().max(40).nullable(),
  pulls: z.array(NamedPull).min(1).max(MAX_ADOPTED_PULLS),
});
export type PullList = z.infer<typeof PullList>;

const BULLET = /^(?:[-*+•]|\d+[.)]|\[[ xX]?\])$/;
const SHORT_PULL_REFERENCE = /^([^\s#][^\s#/]*\/[^\s#]+)#(\d+)$/;

const pullIn = (word: string): NamedPull | null => {
  const [, name, number] = SHORT_PULL_REFERENCE.exec(word) ?? [];
  const link = name === undefined ? parseRepoLink(word) : { repo: name, pull: number ?? null, host: null };
  if (!link?.pull) return null;
  const { repo, pull, host } = link;
  return NamedPull.safeParse({ repo, pull: `#${pull}`, host }).data ?? null;
};

export const parsePullList = (text: string): { value: PullList } | WrongArgument => {
  const words = text
    .slice(0, 100_000)
    .split(/[\s,;]+/)
    .filter((word) => word !== '' && !BULLET.test(word));
  const first = /^c-[a-z0-9]{6}$/i.test(words[0] ?? '') ? words.shift() : undefined;
  const pulls: NamedPull[] = [];
  for (const word of words) {
    const pull = pullIn(word);
    if (!pull) return unusableArgument('pull', word);
    pulls.push(pull);
  }
  if (pulls.length === 0) return toWrongArgument();
  if (pulls.length > MAX_ADOPTED_PULLS) return toWrongArgument({ kind: 'pulls', most: MAX_ADOPTED_PULLS });
  return { value: { campaign: first?.toLowerCase() ?? null, pulls } };
};
