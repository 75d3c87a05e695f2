/** Lets the user choose an installed agent, which is tried before it is saved. */
import type { ControlConfig } from '../../app/config.ts';
import type { AgentName } from '#engines';
import type { LanguageTexts } from '../../bot/language/languages.ts';
import { sayFindings } from '../../bot/language/host-finding.ts';
import { printRedacted, escapeControlCharacters } from '../environment.ts';
import { cliWords } from '../language.ts';
import { agentChecks, installedAgents, installHints, tryAgent } from './agents.ts';
import type { SetupPrompt } from './prompt.ts';

type Words = LanguageTexts['setup'];

const listed = async (agents: readonly AgentName[], config: ControlConfig): Promise<string[]> =>
  Promise.all(
    agents.map(async (name, at) => {
      const checks = await agentChecks(name, config);
      const texts = cliWords();
      const wrong = checks.find(({ level }) => level === 'failed');
      const says = wrong
        ? `✘ ${sayFindings(texts, [wrong.finding])}`
        : `✔ ${checks.map(({ finding }) => sayFindings(texts, [finding])).join(', ')}`;
      return `  ${at + 1} ${name}: ${escapeControlCharacters(says)}`;
    }),
  );

const named = (typed: string, agents: readonly AgentName[]): AgentName | undefined =>
  agents.find((name, at) => typed === name || typed === String(at + 1));

/** Returns null when none is installed. Enter keeps the current or the first one. */
export const chooseAgent = async (
  prompt: SetupPrompt,
  words: Words,
  configNow: () => ControlConfig,
): Promise<AgentName | null> => {
  const config = configNow();
  const agents = installedAgents(config);
  const [first] = agents;
  if (first === undefined) {
    prompt.say(words.noAgent(installHints()));
    return null;
  }
  prompt.say([words.agents, ...(await listed(agents, config))].join('\n'));
  const usual = agents.find((name) => name === config.engine) ?? first;
  let chosen: AgentName | undefined;
  while (chosen === undefined) {
    const typed = (await prompt.ask(words.askAgent(usual))) ?? '';
    chosen = typed === '' ? usual : named(typed.toLowerCase(), agents);
    if (chosen === undefined) prompt.say(words.noSuchAgent);
  }
  for (;;) {
    prompt.say(words.trying(chosen));
    const { ms, failure } = await tryAgent(chosen, config);
    if (failure === null) {
      printRedacted(words.agentWorks(chosen, Math.max(1, Math.round(ms / 1_000))));
      return chosen;
    }
    prompt.say(words.agentFails(chosen, escapeControlCharacters(failure)));
    const typed = ((await prompt.ask(words.askAfterFailure(chosen))) ?? '').toLowerCase();
    if (typed === '') return chosen;
    chosen = named(typed, agents) ?? chosen;
  }
};
