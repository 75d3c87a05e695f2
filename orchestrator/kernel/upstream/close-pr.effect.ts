/** `close_pr` closes a pull request with a note in one request, so no crash separates them. */
import { repositoryOf } from '../run/run.ts';
import type { EffectHandler } from '../runtime/effect-handler.ts';
import { requireRunOf, type EffectContext } from '../handlers/effect-context.ts';
import type { ForgeRepository, ForgePulls } from '#ports/roles';

const MAX_DESCRIPTION_LENGTH = 65_000;

const withWords = (words: string, body: string): string => {
  const all = `${words}\n\n---\n\n${body}`;
  return body.startsWith(words) || all.length > MAX_DESCRIPTION_LENGTH ? body : all;
};

export const createClosePrHandler =
  (
    parts: Pick<EffectContext, 'ledger'> & { forge: ForgeRepository & ForgePulls },
  ): EffectHandler<'close_pr'> =>
  async (claim) => {
    const { forge } = parts;
    const run = await requireRunOf(parts, claim.runId);
    const repo = repositoryOf(run);
    const { pull: id, words } = claim.do;
    const pull = await forge.pull(repo, id);
    if (pull.state === 'closed') return { kind: 'done', result: 'it was closed already' };
    const author = await forge.login(repo);
    // guard: F5-close-ours
    if (
      pull.id !== run.upstream.pullRequest?.id ||
      pull.author !== author ||
      pull.baseRepoId !== run.target.base?.repoId ||
      !run.change.ownCommits.includes(pull.headSha)
    )
      return {
        kind: 'dead',
        reason: `${id} of ${repo} stays open: it is no longer as we opened it. Close it on the code host if it should go.`,
      };
    await forge.close(repo, id, withWords(words, pull.body));
    return { kind: 'done', result: null };
  };
