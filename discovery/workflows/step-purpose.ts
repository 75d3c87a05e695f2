/** Says what a repository's own command is for by the name of its step, where its own name does not. */
import { cannotFail } from '../listing-options.ts';
import type { RecognisedProgram } from '../recognise-program.ts';
import { isTaskOutOfScope, findTaskPurpose, rewritesFiles } from '../task-purpose.ts';
import { unwrapCommand } from '../unwrap-command.ts';

/** Tasks, and files of the repository that are run: what they do is not known by their program. */
const OWN_COMMANDS: readonly RegExp[] = [
  /^(make|gmake|just|task|rake|invoke|inv|poe)(?: -[\w-]+(?:=\S+)?)* ([\w:.-]+)(?= |$)/,
  /^(cargo) xtask (?:-\S+ )*([\w:.-]+)(?= |$)/,
  /^(?:(?:ba)?sh|python3?|perl|ruby|node) ()((?:\.\/)?[\w./-]+\.(?:sh|py|pl|rb|[cm]?js))(?= |$)/,
  /^()((?:\.\/)?[\w.-]+\/[\w./-]+|\.\/[\w.-]+)(?= |$)/,
];
const PREPARES =
  /\b(?:install\w*|set ?up|prepar\w*|downloads?|uploads?|generat\w*|creat\w*|starts?|caches?|dependenc\w*|reports?|summar\w*|publish\w*|restores?|fetch\w*|sync\w*|configur\w*|init\w*|packages?|artifacts?|results?|fixtures|archives?|binar\w+|images?|clean\w*|free|remove)\b/i;

const purposeByWords = (name: string): RecognisedProgram['purpose'] | null => {
  const kind = findTaskPurpose(name.trim().replace(/[^\w]+/g, '-'), () => null);
  return kind === 'lint' || kind === 'format' || kind === 'test' || kind === 'build' ? kind : null;
};
/** `Run clippy + rustfmt`: the first of several that says it. */
const kindOf = (name: string): RecognisedProgram['purpose'] | null =>
  PREPARES.test(name)
    ? null
    : ([name, ...name.split(/[+&,]|\band\b/)].map(purposeByWords).find((kind) => kind !== null) ?? null);

export const recogniseByStepName = (command: string, step: { name: string }): RecognisedProgram | null => {
  const bare = unwrapCommand(command);
  const found = OWN_COMMANDS.map((one) => one.exec(bare)).find((one) => one !== null);
  const [, runner = '', own = ''] = found ?? [];
  if (own === '' || isTaskOutOfScope(own.replace(/^.*\//, '').replace(/\.\w+$/, ''))) return null;
  if (cannotFail(command) || rewritesFiles(command)) return null;
  const purpose = kindOf(step.name);
  if (purpose === null) return null;
  return runner === ''
    ? { purpose, ecosystem: '', program: own }
    : { purpose, ecosystem: '', program: runner, script: own };
};
