/** Assembles what all chats of this host share: roles, handlers and delivery. */
import { type ConnectedChat, createChatInboxHandlers, chatTraitsOf } from '#chat';
import { randomIds, type Inbox, type InboxHandlers, type SubmitInput } from '#runtime';
import { createMovedChats } from '../bot/moved-chats.ts';
import type { BotParts } from '../bot/commands/command-context.ts';
import { createBotHandler } from '../bot/commands/handle-update.ts';
import { createButtonTokens } from '../bot/commands/button-tokens.ts';
import { createMessageHandler } from '../bot/deliver-message.ts';
import { createRepositoryReader } from '#git';
import { ENGINE_NAMES, PROPOSING_ENGINES } from '#engines';
import { createHidingChat } from '#sandbox';
import { createReplacementAssessor } from '#kernel';
import { createBoardAccess } from '#notices';
import type { ReportService } from '#reports';
import { miniAppUrl, canServeBoard } from './board-routes.ts';
import type { ChatIntake } from './chat-intake.ts';
import { listAdminChats } from './chats.ts';
import { createSpendingService } from './spending-service.ts';
import { createConfiguredVoiceNotes } from './configured-voice-notes.ts';
import type { ControlConfig } from './config.ts';
import { createEngineCosts, createPictureSupportCheck } from './engine-costs.ts';
import { createOrderDefaults, readBudgets, openingsInForce } from './runtime-settings.ts';
import { createCampaignFileReader } from './campaign-file-reader.ts';
import { createPagesReader, createShownPatch } from './shown-patches.ts';
import type { AppContext } from './app-context.ts';
import { withFetchedWorkspace, createCommitFileReader, createPatchReader } from './run-patches.ts';
import { listSkillVersions } from './skills.ts';
import { createChatModel, type ChatModel } from '../bot/model/chat-model.ts';
import { createModelClient } from '../bot/model/ask-chat-model.ts';
import type { LogPort } from '#ports/processes';

type ModelParts = Pick<
  Parameters<typeof createChatModel>[0],
  'ledger' | 'clock' | 'wordsFor' | 'hide' | 'receive' | 'closing'
> & {
  config: Pick<ControlConfig, 'chatModel'>;
  log: LogPort;
};

const chatModelOf = ({ config: { chatModel }, ...parts }: ModelParts): ChatModel | null => {
  if (chatModel === null) return null;
  const { perDay, patience, ...way } = chatModel;
  const talk = createModelClient(way, (error) =>
    parts.log.warn({ err: error }, 'the model of the chat did not answer'),
  );
  return createChatModel({ ...parts, name: way.model, talk, perDay, patience });
};

type Parts = {
  intake: ChatIntake;
  reports: ReportService;
  receive: Inbox['receive'];
  onCampaign: () => void;
  account: () => string | null;
  /** O5: address of the board; null while or where it is not served. */
  boardAddress: () => string | null;
};

export const createChatService = (app: AppContext<ControlConfig>, parts: Parts) => {
  const { config, ledger, clock, fleet, lent, log, hands } = app;
  const { reports, receive } = parts;
  const { loaded, chats, roles, wordsFor } = parts.intake;
  const { keys, workspaces, runtimeSettings, closing, host } = hands;
  const { serverUrl } = config.github;
  const tokens = createButtonTokens([keys.buttons]);
  const shown = fleet ? withFetchedWorkspace(hands, log) : workspaces;
  const patch = createPatchReader(ledger, shown, { isElsewhere: fleet !== null });
  const fileOf = createCommitFileReader(shown);
  const readPages = createPagesReader();
  const access = createBoardAccess({
    ledger,
    roleOf: async (user) => (await roles.of(user))?.role ?? null,
    clock,
  });
  const hide = (text: string): string => lent.hide(text);
  const model = chatModelOf({ config, ledger, clock, wordsFor, log, closing, hide, receive });
  const voiceOf = ({ adapter, connection: { sentFile } }: ConnectedChat) =>
    adapter.hasRecordings
      ? createConfiguredVoiceNotes({ config, ledger, clock, log, closing, sentFile })
      : null;
  const onMember = (user: string): void => {
    const menus = chats.menusOf(user);
    if (!menus) return;
    Promise.all([roles.of(user), wordsFor(user)])
      .then(([known, words]) => menus.of(user, known?.role ?? null, words))
      .catch((error: unknown) => log.warn({ err: error }, 'the menu of a person could not be set'));
  };

  return {
    chats,
    roles,
    model,
    patch,
    fileOf,
    access,
    wordsFor,
    tell: createMessageHandler({
      chat: createHidingChat(lent, chats.out),
      isLimitedAsOne: chats.isLimitedAsOne,
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
      openings: () => openingsInForce(config.file, runtimeSettings.now()),
      appUrl: miniAppUrl(config.http),
      places: createMovedChats(ledger, listAdminChats(loaded)),
    }),
    source: (submit: SubmitInput): Pick<InboxHandlers, 'chat' | 'sorry'> => {
      const handling: Omit<BotParts, 'adapter'> = {
        submit,
        ledger,
        receive,
        clock,
        ids: randomIds,
        tokens,
        people: { roles, wordsFor, onMember, publicNames: config.file.publicNames },
        engines: {
          names: ENGINE_NAMES,
          proposing: PROPOSING_ENGINES,
          promptVersions: listSkillVersions(),
          defaults: createOrderDefaults(config, runtimeSettings),
          seesPictures: createPictureSupportCheck(config),
          costs: createEngineCosts(config),
          assessReplacement: createReplacementAssessor(config.file.policies),
        },
        host: {
          isRepository: host.isRepository,
          serverUrl,
          account: parts.account,
          updates: config.http.publicUrl === null ? 'polling' : 'webhook',
          board: canServeBoard(config.http)
            ? { access, address: parts.boardAddress, passkeys: hands.passkeys }
            : null,
        },
        readers: {
          patch,
          readPages,
          fileOf,
          distillLog: (log) => createRepositoryReader().distillLog(log),
          readLog: (log) => createRepositoryReader().readLog(log),
          readSentList: createCampaignFileReader().sentFile,
        },
        services: {
          runtimeSettings,
          openingRules: () => ({
            ...openingsInForce(config.file, runtimeSettings.now()),
            pull: config.file.pull,
          }),
          reports,
          model,
          costs: createSpendingService({
            ledger,
            receive,
            clock,
            budgets: () => readBudgets(ledger, config),
          }),
          onCampaign: parts.onCampaign,
        },
      };
      return createChatInboxHandlers({
        chats: chats.all,
        ledger,
        clock,
        log,
        handlerOf: (chat) =>
          createBotHandler({
            ...handling,
            adapter: { ...chatTraitsOf(chats, chat), voice: voiceOf(chat) },
          }),
      });
    },
    showMenus: async (): Promise<void> => {
      chats.showMenus().catch((error: unknown) => log.warn({ err: error }, 'the menu could not be set'));
      const everybody = await roles.everybody().catch((error: unknown) => {
        log.warn({ err: error }, 'the menus of people could not be set');
        return [];
      });
      for (const { id } of everybody) onMember(id);
    },
  };
};
export type ChatService = ReturnType<typeof createChatService>;
