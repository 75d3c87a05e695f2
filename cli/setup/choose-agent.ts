/** Lets the user choose an installed agent, which is tried before it is saved. */
import { spawnSync } from 'node:child_process';
import type { ControlConfig } from '../../app/config.ts';
import { checkEngine } from '../../app/probes/engines.ts';
import type { AgentName } from '#engines';
import { type LanguageTexts, sayFindings } from '#language';
import { printRedacted, escapeControlCharacters } from '../output.ts';
import { cliWords } from '../language.ts';
import { findInstalledAgents, installHints, tryAgent } from './agents.ts';
import type { SetupPrompt } from './prompt.ts';
import { writeConfigSettings } from './settings-files.ts';

type Words = LanguageTexts['setup'];

const formatAgentLines = async (agents: readonly AgentName[], config: ControlConfig): Promise<string[]> =>
  Promise.all(
    agents.map(async (name, at) => {
      const checks = await checkEngine(name, config);
      const texts = cliWords();
      const wrong = checks.find(({ level }) => level === 'failed');
      const says = wrong
        ? `✘ ${sayFindings(texts, [wrong.finding])}`
        : `✔ ${checks.map(({ finding }) => sayFindings(texts, [finding])).join(', ')}`;
      return `  ${at + 1} ${name}: ${escapeControlCharacters(says)}`;
    }),
  );

const findTypedAgent = (typed: string, agents: readonly AgentName[]): AgentName | undefined =>
  agents.find((name, at) => typed === name || typed === String(at + 1));

const MAX_COMMAND_LENGTH = 1_000;
/** The word that a person types in every language; `setup-askNoAgent` names it. */
const LOOK_AGAIN = 'again';

/** Returns the first word of a command where no shell would find it; null where it may be there. */
const findMissingProgram = (command: string, env: NodeJS.ProcessEnv): string | null => {
  const [program = ''] = command.split(/\s/);
  if (!/^[\w.+-]+$/.test(program)) return null;
  const asked = spawnSync('sh', ['-c', 'command -v -- "$1"', 'sh', program], { env, stdio: 'ignore' });
  return asked.status === 0 ? null : program;
};

/** O2: without an agent: look again, a command of one's own, or go on without, said as such. */
const chooseWithoutAgent = async (
  prompt: SetupPrompt,
  words: Words,
  configNow: () => ControlConfig,
): Promise<{ config: ControlConfig } | 'script' | null> => {
  prompt.say(words.noAgent(installHints()));
  for (;;) {
    const config = configNow();
    if (findInstalledAgents(config).length > 0) return { config };
    const { script } = config.file;
    const command = script === undefined ? null : escapeControlCharacters(script);
    const typed = ((await prompt.ask(words.askNoAgent(command))) ?? '').trim();
    if (typed.toLowerCase() === LOOK_AGAIN) {
      if (findInstalledAgents(configNow()).length === 0) prompt.say(words.stillNoAgent);
      continue;
    }
    if (typed === '' && script === undefined) {
      prompt.say(words.withoutAgent);
      return null;
    }
    if (typed.length > MAX_COMMAND_LENGTH) continue;
    const missing = findMissingProgram(typed, config.operator.env);
    if (missing !== null) {
      prompt.say(words.noSuchProgram(missing));
      continue;
    }
    if (typed !== '') writeConfigSettings({ script: typed });
    prompt.say(words.ownCommand(escapeControlCharacters(typed === '' ? (script ?? '') : typed)));
    return 'script';
  }
};

/** Returns null when the user goes on without one. Enter keeps the current or the first one. */
export const chooseAgent = async (
  prompt: SetupPrompt,
  words: Words,
  configNow: () => ControlConfig,
): Promise<AgentName | 'script' | null> => {
  const now = configNow();
  const found =
    findInstalledAgents(now).length > 0
      ? { config: now }
      : await chooseWithoutAgent(prompt, words, configNow);
  if (found === null || found === 'script') return found;
  const { config } = found;
  const agents = findInstalledAgents(config);
  const [first] = agents;
  if (first === undefined) return null;
  prompt.say([words.agents, ...(await formatAgentLines(agents, config))].join('\n'));
  const usual = agents.find((name) => name === config.engine) ?? first;
  let chosen: AgentName | undefined;
  while (chosen === undefined) {
    const typed = (await prompt.ask(words.askAgent(usual))) ?? '';
    chosen = typed === '' ? usual : findTypedAgent(typed.toLowerCase(), agents);
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
    chosen = findTypedAgent(typed, agents) ?? chosen;
  }
};
