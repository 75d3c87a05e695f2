/** Assembles the chats: roles, handlers and delivery. */
import { createReadFile } from '../bot/received-files.ts';
import { createBot } from '../bot/intake.ts';
import { createWordsFor } from '#language';
import { randomIds, type Inbox, type InboxHandlers, type SubmitInput } from '#runtime';
import { createPlaces } from '../bot/chat-places.ts';
import type { BotParts } from '../bot/commands/command-context.ts';
import { createBotHandler } from '../bot/commands/handle-update.ts';
import { createRoles } from '../bot/commands/user-roles.ts';
import { createTokens } from '../bot/commands/button-tokens.ts';
import { isEarlier, isPerson, readUpdate } from '../bot/commands/read-update.ts';
import { createChat } from '../bot/telegram-chat.ts';
import { createMessageHandler } from '../bot/deliver-message.ts';
import { createRepositoryReader } from '#git';
import { ENGINE_NAMES, PROPOSING_ENGINES } from '#engines';
import { hidingChat } from '#sandbox';
import { isRepositoryAt } from '#forge';
import { createReplacementAssessor } from '#kernel';
import { createBoardAccess } from '#notices';
import type { ReportService } from '#reports';
import { miniAppUrl, servesBoard } from './board-routes.ts';
import { chatModelOf } from './chat-model.ts';
import { voiceNotesOf } from './voice-notes.ts';
import { adminChatsOf, adminsOf, type ControlConfig } from './config.ts';
import { joinSlack, type LoadedSlack } from './slack.ts';
import { costsOf, seesPicturesOf } from './engine-costs.ts';
import { defaultsOf } from './runtime-settings.ts';
import { createLists } from './list-reader.ts';
import { createPagesReader, createShownPatch } from './shown-patches.ts';
import type { OpenMember } from './process-context.ts';
import { bringWorkspaceFirst, createFileOf, createPatchOf } from './run-patches.ts';
import { skillVersions } from './skills.ts';

type Parts = {
  config: ControlConfig;
  member: OpenMember;
  reports: ReportService;
  receive: Inbox['receive'];
  onStored: () => void;
  onTrouble: () => void;
  onCampaign: () => void;
  account: () => string | null;
  /** O5: address of the board; null while or where it is not served. */
  boardAddress: () => string | null;
  slack: LoadedSlack | null;
};

export const createTelegram = (parts: Parts) => {
  const { config, member, reports, receive } = parts;
  const { ledger, clock, fleet, lent, log, hands } = member;
  const { keys, workspaces, runtimeSettings } = hands;
  const { telegram } = config;
  const { serverUrl } = config.github;
  const tokens = createTokens([keys.buttons]);
  const wordsFor = createWordsFor(ledger.query);
  const adminChats = adminChatsOf(config);
  const roles = createRoles({ users: ledger.query, adminIds: adminsOf(config) });
  const shown = fleet ? bringWorkspaceFirst(hands, log) : workspaces;
  const patch = createPatchOf(ledger, shown);
  const fileOf = createFileOf(shown);
  const readPages = createPagesReader();
  const access = createBoardAccess({
    ledger,
    roleOf: async (user) => (await roles.of(user))?.role ?? null,
    clock,
  });
  const model = chatModelOf({
    config,
    ledger,
    clock,
    wordsFor,
    log,
    closing: hands.closing,
    hide: (text) => lent.hide(text),
    receive,
  });
  const sentFile = telegram && createReadFile({ ...telegram, clock });
  const voice = sentFile && voiceNotesOf({ config, ledger, clock, log, closing: hands.closing, sentFile });
  const bot =
    telegram &&
    createBot({
      ...telegram,
      ledger,
      roles,
      clock,
      log,
      onlyPoller: fleet !== null,
      onStored: parts.onStored,
      onTrouble: parts.onTrouble,
    });
  const { onStored, onTrouble } = parts;
  const slack =
    parts.slack && joinSlack(parts.slack, { ledger, log, clock, roles, wordsFor, onStored, onTrouble });
  const firstChat = telegram && createChat({ ...telegram, clock });
  const chat = slack ? slack.beside(firstChat) : firstChat;
  if (!chat) throw new Error('No chat is configured.');
  const onMember = (user: string): void => {
    if (!bot || slack?.isPerson(user)) return;
    Promise.all([roles.of(user), wordsFor(user)])
      .then(([member, words]) => bot.menuOf(user, member?.role ?? null, words))
      .catch((error: unknown) => log.warn({ err: error }, 'the menu of a person could not be set'));
  };

  return {
    bot,
    slack,
    roles,
    model,
    patch,
    fileOf,
    access,
    wordsFor,
    tell: createMessageHandler({
      chat: hidingChat(lent, chat),
      ...(slack ? { isElsewhere: slack.isElsewhere } : {}),
      ledger,
      tokens,
      clock,
      wordsFor,
      patch,
      fileOf,
      readPages,
      shownPatch: createShownPatch(),
      reports,
      serverUrl,
      appUrl: miniAppUrl(config.http),
      places: createPlaces(ledger, adminChats),
    }),
    source: (submit: SubmitInput): Pick<InboxHandlers, 'chat' | 'sorry'> => {
      const handling: BotParts = {
        submit,
        ledger,
        receive,
        clock,
        ids: randomIds,
        tokens,
        adapter: {
          read: readUpdate,
          isPerson: (id) => isPerson(id) || slack?.isPerson(id) === true,
          ...(slack ? { mainAccountOf: slack.mainAccountOf } : {}),
          invitationText: (code) => bot?.startLink(code) ?? `/start ${code}`,
          isEarlier,
          deciders: adminChats,
          botName: () => bot?.botName() ?? null,
          ...(sentFile ? { sentFile } : {}),
          voice,
        },
        people: { roles, wordsFor, onMember, publicNames: config.file.publicNames },
        engines: {
          names: ENGINE_NAMES,
          proposing: PROPOSING_ENGINES,
          promptVersions: skillVersions(),
          defaults: defaultsOf(config, runtimeSettings),
          seesPictures: seesPicturesOf(config),
          costs: costsOf(config),
          assessReplacement: createReplacementAssessor(config.file.policies),
        },
        host: {
          isRepository: isRepositoryAt(serverUrl),
          serverUrl,
          account: parts.account,
          updates: config.http.publicUrl === null ? 'polling' : 'webhook',
          board: servesBoard(config.http) ? { access, address: parts.boardAddress } : null,
        },
        readers: {
          patch,
          readPages,
          fileOf,
          distillLog: (log) => createRepositoryReader().distillLog(log),
          readLog: (log) => createRepositoryReader().readLog(log),
          readSentList: createLists().sentFile,
        },
        services: { runtimeSettings, reports, model, onCampaign: parts.onCampaign },
      };
      const handler = createBotHandler(handling);
      const other =
        slack &&
        createBotHandler({
          ...handling,
          adapter: { ...handling.adapter, ...slack.handling(telegram?.admins ?? []), voice: null },
        });
      return {
        chat: async (row) => {
          if (other && slack?.isOurs(row)) {
            const { tap } = await other.handle(row);
            if (tap)
              slack
                .answer(tap)
                .catch((error: unknown) => log.error({ err: error }, 'a tap could not be answered'));
            return;
          }
          const { tap } = await handler.handle(row);
          // Not queued, so that a tap's answer never waits behind other messages.
          if (tap)
            bot
              ?.answer(tap)
              .catch((error: unknown) => log.error({ err: error }, 'a tap could not be answered'));
        },
        sorry: (row, reason) => (other && slack?.isOurs(row) ? other : handler).sorry(row, reason),
      };
    },
    showMenus: async (): Promise<void> => {
      if (!bot) return;
      bot.menu().catch((error: unknown) => log.warn({ err: error }, 'the menu could not be set'));
      const everybody = await roles.everybody().catch((error: unknown) => {
        log.warn({ err: error }, 'the menus of people could not be set');
        return [];
      });
      for (const { id } of everybody) onMember(id);
    },
  };
};
