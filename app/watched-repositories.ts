/** Lists the configured sources of campaign previews: issue labels and webhooks (F5). */
import type { WatchedRepository } from '#campaigns';
import { listAdminChats } from './chats.ts';
import type { ControlConfig } from './config.ts';

/** The first entry counts when a repository is listed twice. */
export const listWatchedRepositories = ({
  file,
  chats,
}: Pick<ControlConfig, 'file' | 'chats'>): WatchedRepository[] => {
  const { arrivals } = file;
  const everybody = arrivals.chat ?? listAdminChats(chats)[0] ?? '';
  const all = arrivals.issues.flatMap(({ repositories, label, perDay, chat = everybody }) =>
    repositories.map((repo) => ({ repo, label, perDay, chat })),
  );
  return [...new Map(all.toReversed().map((one) => [one.repo.toLowerCase(), one])).values()];
};
