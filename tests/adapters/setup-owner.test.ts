/** O2: `init` learns the owner of a bot from the local Telegram. */
import { expect, it } from 'vitest';
import { startTelegram } from '#playground';
import { LANGUAGE_TEXTS } from '#language';
import { awaitBotOwner } from '../../cli/setup/owner.ts';

const TOKEN = '4242:token-of-the-local-telegram';

it('O2: says in words that an AgentPR that runs fetches the messages of this bot', async () => {
  const telegram = await startTelegram({ token: TOKEN, botName: 'agentpr_test_bot' });
  const env = { TELEGRAM_API_ROOT: telegram.url };
  const prompt = { say: () => {}, ask: async () => null, hasEnded: () => true };
  try {
    const learned = awaitBotOwner(prompt as never, LANGUAGE_TEXTS.en.setup, {
      name: 'bot',
      token: TOKEN,
      env,
    });
    const failure = learned.then(
      () => null,
      (error: unknown) => error,
    );
    // Telegram ends the older of two polls.
    await telegram.waitFor(() => telegram.calls.some(({ route }) => route === 'getUpdates'));
    const other = fetch(`${telegram.url}/bot${TOKEN}/getUpdates?timeout=0`);
    expect(await failure).toMatchObject({ code: 1, failure: { kind: 'fetched_elsewhere' } });
    await other;
  } finally {
    await telegram.stop();
  }
});
