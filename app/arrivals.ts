/** F5: what may come from outside as a preview, as this host was configured. */
import type { Watched } from '../orchestrator/engine/labelled.ts';
import type { Config } from './config.ts';

/** Repositories whose issues are looked at. A repository that is named twice has its first label. */
export const watchedIn = ({ file, telegram }: Pick<Config, 'file' | 'telegram'>): Watched[] => {
  const { arrivals } = file;
  const everybody = arrivals.chat ?? telegram.admins[0] ?? '';
  const all = arrivals.issues.flatMap(({ repositories, label, perDay, chat = everybody }) =>
    repositories.map((repo) => ({ repo, label, perDay, chat })),
  );
  return [...new Map(all.toReversed().map((one) => [one.repo.toLowerCase(), one])).values()];
};
