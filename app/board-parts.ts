/** O5: gives the board its queries, readers and words; null where none is served. */
import type { BoardParts } from '#board';
import { createRepositoryReader } from '#git';
import { replayRuns } from '#audit';
import type { ReportService } from '#reports';
import { createBoardRoutes, servesBoard, type ServedBoard } from './board-routes.ts';
import type { ControlConfig } from './config.ts';
import type { OpenMember } from './process-context.ts';
import { createBookReader } from './shown-patches.ts';
import type { ChatService } from './chat-service.ts';

export const boardOf = ({
  config,
  member: { ledger, clock, log },
  service: { access, patch, fileOf, wordsFor, chats },
  reports,
  chatAddress,
}: {
  config: ControlConfig;
  member: OpenMember;
  service: ChatService;
  reports: ReportService;
  chatAddress?: BoardParts['chatAddress'];
}): ServedBoard | null => {
  if (!servesBoard(config.http)) return null;
  return createBoardRoutes({
    access,
    query: ledger.query,
    patch,
    fileOf,
    readBook: createBookReader(),
    distillLog: (text) => createRepositoryReader().distillLog(text),
    readLog: async (text) => (await createRepositoryReader().readLog(text)).shown,
    replay: (runId) => replayRuns(ledger, runId),
    reports,
    wordsFor,
    chatAddress: chatAddress ?? chats.startLink,
    serverUrl: config.github.serverUrl,
    appToken: config.http.publicUrl === null ? null : (config.telegram?.token ?? null),
    clock,
    log,
  });
};
