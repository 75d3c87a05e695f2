/** F5: what may come from outside as a preview, as this host was configured. */
import type { WatchedRepository } from '../orchestrator/engine/labelled-issues.ts';
import type { ControlConfig } from './config.ts';

/** Repositories whose issues are looked at. A repository that is named twice has its first label. */
export const watchedIn = ({
  file,
  telegram,
}: Pick<ControlConfig, 'file' | 'telegram'>): WatchedRepository[] => {
  const { arrivals } = file;
  const everybody = arrivals.chat ?? telegram.admins[0] ?? '';
  const all = arrivals.issues.flatMap(({ repositories, label, perDay, chat = everybody }) =>
    repositories.map((repo) => ({ repo, label, perDay, chat })),
  );
  return [...new Map(all.toReversed().map((one) => [one.repo.toLowerCase(), one])).values()];
};
