/** Gives the board its queries, readers and words; null where none is served (O5). */
import type { BoardParts } from '#board';
import { randomUUID } from 'node:crypto';
import { createRepositoryReader } from '#git';
import { replayRuns } from '#audit';
import type { ReportService } from '#reports';
import { readSpending } from '#limits';
import { readBudgets } from './runtime-settings.ts';
import { createBoardRoutes, canServeBoard, type ServedBoard } from './board-routes.ts';
import { listAdminChats } from './chats.ts';
import type { ControlConfig } from './config.ts';
import { createKeyDecisions, keyOriginOf, type KeyOrigin } from '#passkeys';
import { roleNeededFor } from '#commands';
import { hasRoleAtLeast, type UserRole } from '#model/settings';
import type { LedgerQueries } from '#ports/ledger';
import { showInvisible } from '#text-safety';
import { passkeyInboxItem } from '#notices';
import type { Inbox, SubmitInput } from '#runtime';
import type { AppContext } from './app-context.ts';
import { createBookReader } from './shown-patches.ts';
import type { ChatService } from './chat-service.ts';

type TellParts = {
  submit: SubmitInput;
  query: Pick<LedgerQueries, 'user'>;
  roleOf: (user: string) => Promise<UserRole | null>;
};
/** E21: words from a page count as those of the person who is signed in, by their role of now. */
export const createBoardSteering =
  ({ submit, query, roleOf }: TellParts): NonNullable<BoardParts['tell']> =>
  async ({ id: user, name }, runId, words, when) => {
    const role = await roleOf(user);
    // guard: E21-board-operators
    if (role === null || !hasRoleAtLeast(role, roleNeededFor('tell'))) return { kind: 'role' };
    const by = { id: user, name: (await query.user(user))?.name ?? name ?? user };
    const said = await submit({
      runId,
      input: { type: 'command.agent.tell', by, words: showInvisible(words), when },
      key: `board:${randomUUID()}`,
      cause: { kind: 'none' },
    });
    if (said.kind === 'written') return { kind: 'queued' };
    return { kind: 'refused', reason: said.kind === 'refused' ? said.reason : null };
  };

export type BoardNeeds = {
  reports: ReportService;
  submit: SubmitInput;
  receive: Inbox['receive'];
  address: () => string | null;
  chatAddress?: BoardParts['chatAddress'];
};

export const createServedBoard = (
  { config, ledger, clock, log, hands }: AppContext<ControlConfig>,
  { access, patch, fileOf, wordsFor, chats }: ChatService,
  { reports, submit, receive, address, chatAddress }: BoardNeeds,
): ServedBoard | null => {
  if (!canServeBoard(config.http)) return null;
  const { passkeys } = hands;
  const origin = (): KeyOrigin | null => {
    const at = address();
    return at === null ? null : keyOriginOf(at);
  };
  return createBoardRoutes({
    access,
    query: ledger.query,
    patch,
    fileOf,
    readBook: createBookReader(),
    distillLog: (text) => createRepositoryReader().distillLog(text),
    readLog: (text) => createRepositoryReader().readLog(text),
    replay: (runId) => replayRuns(ledger, runId),
    reports,
    costs: () => readSpending({ ledger, clock, budgets: () => readBudgets(ledger, config) }),
    wordsFor,
    chatAddress: chatAddress ?? chats.startLink,
    serverUrl: config.github.serverUrl,
    appToken: config.http.publicUrl === null ? null : (config.telegram?.token ?? null),
    tell: createBoardSteering({ submit, query: ledger.query, roleOf: (user) => access.roleOf(user) }),
    keys: {
      passkeys,
      origin,
      decisions: createKeyDecisions({
        query: ledger.query,
        submit,
        passkeys,
        trusted: config.file.approvalKeys,
        roleOf: (user) => access.roleOf(user),
        publicNames: config.file.publicNames,
        clock,
        origin,
      }),
      onRegistered: (person, fingerprint) =>
        receive([passkeyInboxItem({ person, fingerprint, now: clock.now() }, listAdminChats(config.chats))]),
    },
    clock,
    log,
  });
};
