/** Asks how AgentPR shall run: in this window, as a service, or later. */
import type { LanguageTexts } from '#language';
import { isSystemdRunning } from '../service/systemd.ts';
import { runStart } from '../start.ts';
import { installService } from '../service/service-commands.ts';
import type { SetupPrompt } from './prompt.ts';

type Words = LanguageTexts['setup'];
type StartChoice = 'here' | 'service' | 'later';

/** A service of root needs an account, which `service install --as` sets. */
const canInstall = (): boolean => isSystemdRunning() && process.getuid?.() !== 0;

export const offerStart = {
  async ask(prompt: SetupPrompt, words: Words): Promise<StartChoice> {
    const typed = (await prompt.ask(words.askStart(canInstall())))?.toLowerCase();
    if (typed === undefined || /^(?:n|不|否)/.test(typed)) return 'later';
    return typed.startsWith('s') && canInstall() ? 'service' : 'here';
  },
  async perform(wish: StartChoice, prompt: SetupPrompt, words: Words, greeting: string): Promise<void> {
    if (wish === 'later') return prompt.say(words.startLater);
    if (wish === 'service') {
      installService({ name: 'agentpr' });
      return prompt.say(greeting);
    }
    await runStart(undefined, () => prompt.say(greeting));
  },
};
