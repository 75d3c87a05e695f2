/** A cheap change: one `sed` as the agent, one `grep` as the check, on the sample repository. */
import { sampleDirectory, type RepoHandle } from '#playground';
import type { Product } from './product.ts';

/** Fixes the sample's bug once. A repository may bring its own agent. */
export const QUICK_AGENT =
  "if [ -f agent.sh ]; then sh agent.sh; else sed -i 's/factor \\*\\* failed,/factor ** (failed - 1),/' src/waits.js && echo mended; fi";

export const quickOrder = (repo: string, goal = 'Mend the first wait'): string =>
  `/new ${repo} ${goal} check="grep -q failed src/waits.js"`;

/** Adds a copy of the sample and orders the change. */
export const askForChange = async (product: Product, name: string, goal?: string): Promise<RepoHandle> => {
  const repo = await product.github.addRepo({ owner: 'acme', name, from: sampleDirectory() });
  product.ana.sends(quickOrder(repo.fullName, goal));
  return repo;
};
