/** Defines the `demo` command, whose code is loaded only when it is called. */
import { Option, type Command } from 'commander';
import { ENGINE_NAMES } from '#engines';
import type { DemoOptions } from './run-demo.ts';

const DELIVERIES = ['once', 'twice', 'shuffled', 'never'] satisfies DemoOptions['deliveries'][];

export const addDemoCommand = (program: Command): void => {
  program
    .command('demo')
    .option('--play', 'watch: every card is tapped for you (with --once and --json as well)')
    .option('--task <n>', 'which of the three sample tasks to begin with', Number, 1)
    .option('--once', 'end after the story')
    .option('--json', 'print the final run with its events instead of prose, then end')
    .option('--data <dir>', 'keep the files there (default: a temporary folder)')
    .option('--repo <path or URL>', 'any git repository instead of the sample')
    .option(
      '--fork',
      'the repository is somebody else’s: no right to push, no webhook, a fork, a flaky check',
    )
    .option('--campaign', 'one change for ten repositories: a few first, alike ones on one card')
    .option(
      '--check <command>',
      'a check of yours instead of the ones found in the repository; repeatable',
      (value: string, all: string[] | undefined) => [...(all ?? []), value],
    )
    .option('--script <command>', 'what the agent does, in the repository')
    .option('--goal <text>', 'what is asked for')
    .addOption(
      new Option(
        '--engine <engine>',
        'who does the work; all but script are agents that you are signed in to',
      )
        .choices(ENGINE_NAMES)
        .default('script'),
    )
    .addOption(
      new Option('--deliveries <how>', 'how webhooks travel; without any, the code host is asked instead')
        .choices(DELIVERIES)
        .default('once'),
    )
    .addOption(
      new Option('--sandbox <level>', 'how agents and checks are contained')
        .choices(['auto', 'bwrap', 'unshare', 'container', 'group'])
        .default('auto'),
    )
    .addHelpText(
      'after',
      '\nExample: agentpr demo --repo ~/src/my-tool --check "make test" --script "sed -i s/teh/the/ README.md"',
    )
    .action(async (options: DemoOptions) => (await import('./run-demo.ts')).runDemo(options));
};
