/** Recognises what formats files in place, and turns it into a check: nothing may differ afterwards. */
import { knownTasks } from '#tools';
import { isListingOnly } from './listing-options.ts';
import type { RecognisedProgram } from './recognise-program.ts';
import { rewritesFiles } from './task-purpose.ts';
import { unwrapCommand } from './unwrap-command.ts';

const NAME =
  /^(?:(?:run|apply|code|all|py|go|js)[-_:.])?(?:formats?|formatting|fmt|prettier|prettify|reformat|pretty|cs-?fix|format[-_:]?(?:all|code|fix|write)|fmt[-_:]all|shfmt|gofmt|rustfmt|clang-format)(?:[-_:](?:js|ts|css|html|py|python|go|rust|c|cpp|java|kotlin|php|ruby|julia|lua|nix|md))?$/i;
const OTHERS = /\b(?:publish|release|commit|push|docker)\b/;
const doesMore = (commands: string): boolean =>
  OTHERS.test(commands) || knownTasks().tests.test(commands) || knownTasks().builds.test(commands);

const PASSES_ON =
  /^(?:pnpm|npm|yarn|bun|turbo|nx|lerna|make|just|task|uv|poetry)\b.*\b(?:formats?|fmt|prettier)\b/;

export const formatsInPlace = (name: string, does: string | null): boolean => {
  if (!NAME.test(name)) return false;
  const commands = (does ?? '').trim();
  return (
    commands === '' ||
    ((knownTasks().formats.test(commands) || PASSES_ON.test(commands)) && !doesMore(commands))
  );
};

const LINTER = /^(?:lint|check|style|biome|standard)(?:[-_:](?:all|code|js|ts))?$/i;
const FIXES = /(?:^|\s)(?:--fix(?:=\S+)?|--write|--apply|-w)(?=\s|$)/;
export const lintsInPlace = (name: string, does: string | null): boolean =>
  does !== null &&
  LINTER.test(name) &&
  knownTasks().lints.test(does) &&
  FIXES.test(does) &&
  !doesMore(does.replace(/\btsc\b/g, ''));

export const FORMATTER: RecognisedProgram = {
  purpose: 'format',
  ecosystem: '',
  program: 'formatter',
};
const OWN_TASK =
  /^(?:(?:make|just|task|composer|\.\/gradlew|mise run|poe|(?:npm|pnpm|yarn|bun) run) |\.?\/?(?:scripts?|bin|dev|tools?)\/)([\w:-]+)(?:\.(?:sh|py))?$/;
/** CI that formats asks afterwards whether something differs. */
export const formatsForCi = (command: string): boolean => {
  if (isListingOnly(command)) return false;
  const writes = rewritesFiles(command) || (/\bclang-format\b/.test(command) && / -i\b/.test(command));
  const bare = unwrapCommand(command).replace(/^(?:find|git ls-files)\b[^|]*\| *xargs (?:-\S+ )*/, '');
  const named = OWN_TASK.exec(command)?.[1];
  return (
    (writes &&
      knownTasks().formats.exec(bare)?.index === 0 &&
      !doesMore(command) &&
      !knownTasks().lints.test(command)) ||
    (named !== undefined && NAME.test(named))
  );
};

/** A script at hand formats where its step asks afterwards whether something differs. */
export const isFormatScript = (command: string): boolean =>
  NAME.test(/^\.\/([\w-]+)(?:\.\w+)?$/.exec(command)?.[1] ?? '');

const UNCHANGED = 'git diff --exit-code';
export const toNoDiffCommand = (command: string): string => `${command} && ${UNCHANGED}`;

/** The same command as a look, where its tool has one. */
export const findCheckOnlyCommand = (command: string): string | null => {
  const form = knownTasks().onlyLooks.find(({ writes }) => writes.test(command));
  return form ? command.replace(form.writes, form.looks) : null;
};
