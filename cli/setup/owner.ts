/** Finds the bot's owner: its first writer, confirmed on the host. */
import { GrammyError, HttpError } from 'grammy/web';
import type { LanguageTexts } from '#language';
import { escapeControlCharacters } from '../output.ts';
import { CommandExit, EXIT_CODES } from '../exit-codes.ts';
import { createBotApi } from './credentials.ts';
import type { SetupPrompt } from './prompt.ts';

const LOOKS = 12;
const LOOK_SECONDS = 10;

type Bot = { name: string; token: string; env: Readonly<Record<string, string | undefined>> };
type Writer = { id: number; name: string; update: number };

const nextWriter = async ({ token, env }: Bot, after: number): Promise<Writer | null> => {
  const api = createBotApi(token, env);
  for (let look = 0; look < LOOKS; look += 1) {
    // The message is not confirmed, so that AgentPR answers it after its start.
    const from = after === 0 ? {} : { offset: after + 1 };
    const updates = await api.getUpdates({ ...from, timeout: LOOK_SECONDS, allowed_updates: ['message'] });
    const found = updates.findLast(({ message }) => message?.chat.type === 'private');
    const who = found?.message?.from;
    if (found && who)
      return { id: who.id, name: escapeControlCharacters(who.first_name), update: found.update_id };
  }
  return null;
};

const createNoAnswerExit = (): CommandExit =>
  new CommandExit(EXIT_CODES.usage, { kind: 'no_answer', name: 'TELEGRAM_ADMIN_IDS' });

export const awaitBotOwner = async (
  prompt: SetupPrompt,
  words: LanguageTexts['setup'],
  bot: Bot,
): Promise<string> => {
  let after = 0;
  prompt.say(words.sayHi(bot.name));
  for (;;) {
    const writer = await nextWriter(bot, after).catch((error: unknown) => {
      if (error instanceof GrammyError && error.error_code === 409)
        throw new CommandExit(EXIT_CODES.failed, { kind: 'fetched_elsewhere' });
      if (error instanceof GrammyError || error instanceof HttpError)
        throw new CommandExit(EXIT_CODES.failed, {
          kind: 'told',
          says: words.refused('Telegram', escapeControlCharacters(error.message)),
        });
      throw error;
    });
    if (writer) {
      const sure = await prompt.ask(words.isThatYou(writer.name, writer.id));
      if (sure === null) throw createNoAnswerExit();
      if (/^(?:y|是|对)/i.test(sure)) return String(writer.id);
      after = writer.update;
      if (prompt.hasEnded()) throw createNoAnswerExit();
      prompt.say(words.notYou);
      continue;
    }
    const typed = await prompt.ask(words.nobodyWrote);
    if (typed === null) throw createNoAnswerExit();
    if (/^\d+( *, *\d+)*$/.test(typed)) return typed;
    if (typed !== '') prompt.say(words.idForm);
  }
};
