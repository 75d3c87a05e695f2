/** `agentpr completion <shell>`: a script that completes commands and options, made from the command table. */
import { Argument, type Command, type Option } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

type Offer = { name: string; about: string };
type OfferedOption = Offer & { short: string | null; takesValue: boolean; choices: readonly string[] };
/** What may stand after these words, e.g. ` run list`. */
type Place = { after: string; words: Offer[]; options: OfferedOption[] };

const offerOption = ({
  long,
  short,
  description,
  required,
  optional,
  argChoices,
}: Option): OfferedOption => ({
  name: long ?? short ?? '',
  short: long && short ? short : null,
  about: description,
  takesValue: required || optional,
  choices: argChoices ?? [],
});

const placesIn = (command: Command, after = ''): Place[] => {
  const here: Place = {
    after,
    words: [
      ...command.commands.flatMap((one) =>
        [one.name(), ...one.aliases()].map((name) => ({ name, about: one.description() })),
      ),
      ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
        argChoices.map((name) => ({ name, about: description })),
      ),
    ],
    options: command.createHelp().visibleOptions(command).map(offerOption),
  };
  const below = command.commands.flatMap((one) =>
    [one.name(), ...one.aliases()].flatMap((name) => placesIn(one, `${after} ${name}`)),
  );
  return [here, ...below];
};

const quoteWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const quoteAll = (texts: readonly string[], between = ' '): string => texts.map(quoteWord).join(between);
const namesOf = (offers: readonly Offer[]): string[] => offers.map(({ name }) => name);
/** The words of a place are followed as long as a command has that name. */
const formatPlacePattern = (places: readonly Place[]): string =>
  quoteAll(
    places.flatMap(({ after }) => (after === '' ? [] : [after])),
    ' | ',
  );
const valuesOf = ({ after, options }: Place): { word: string; choices: readonly string[] }[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .flatMap(({ name, short, choices }) =>
      [name, ...(short ? [short] : [])].map((option) => ({ word: `${after} ${option}`, choices })),
    );

/** Files are completed where a value or an argument may be one. */
const bashScript = (places: readonly Place[]): string => `# agentpr: completion for bash.
# For every shell: echo 'eval "$(agentpr completion bash)"' >> ~/.bashrc
_agentpr() {
  local place='' words='' i
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$place \${COMP_WORDS[i]}" in
      ${formatPlacePattern(places)}) place="$place \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$place $previous" in
${places
  .flatMap(valuesOf)
  .map(({ word, choices }) => `    ${quoteWord(word)}) words=${quoteWord(choices.join(' '))} ;;`)
  .join('\n')}
    *)
      case "$place:$current" in
${places
  .map(
    ({ after, words, options }) =>
      `        ${quoteWord(after)}:-*) words=${quoteWord(namesOf(options).join(' '))} ;;
        ${quoteWord(after)}:*) words=${quoteWord(namesOf(words).join(' '))} ;;`,
  )
  .join('\n')}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _agentpr agentpr
`;

const zshOffer = ({ name, about }: Offer): string => `${name}:${about.replaceAll('\n', ' ')}`;
const zshScript = (places: readonly Place[]): string => `#compdef agentpr
# agentpr: completion for zsh.
# For every shell: echo 'eval "$(agentpr completion zsh)"' >> ~/.zshrc, below compinit
_agentpr() {
  local place='' i
  local -a offers
  for ((i = 2; i < CURRENT; i++)); do
    case "$place \${words[i]}" in
      ${formatPlacePattern(places).replaceAll(' | ', '|')}) place="$place \${words[i]}" ;;
    esac
  done
  case "$place \${words[CURRENT - 1]}" in
${places
  .flatMap(valuesOf)
  .map(({ word, choices }) => `    ${quoteWord(word)}) offers=(${quoteAll(choices)}) ;;`)
  .join('\n')}
    *)
      case "$place:\${words[CURRENT]}" in
${places
  .map(
    ({ after, words, options }) =>
      `        ${quoteWord(after)}:-*) offers=(${quoteAll(options.map(zshOffer))}) ;;
        ${quoteWord(after)}:*) offers=(${quoteAll(words.map(zshOffer))}) ;;`,
  )
  .join('\n')}
      esac
      ;;
  esac
  if ((\${#offers})); then _describe agentpr offers; else _files; fi
}
compdef _agentpr agentpr
`;

const fishOption = ({ name, short, about, takesValue, choices }: OfferedOption): string =>
  [
    ...(short ? ['-s', short.slice(1)] : []),
    ...(name.startsWith('--') ? ['-l', name.slice(2)] : ['-s', name.slice(1)]),
    ...(choices.length > 0 ? ['-x', '-a', quoteWord(choices.join(' '))] : takesValue ? ['-r'] : []),
    '-d',
    quoteWord(about),
  ].join(' ');
const fishScript = (places: readonly Place[]): string => `# agentpr: completion for fish.
# For every shell: agentpr completion fish > ~/.config/fish/completions/agentpr.fish
function __agentpr_after
    set -l place ''
    for word in (commandline -opc)[2..-1]
        switch "$place $word"
            case ${formatPlacePattern(places).replaceAll(' | ', ' ')}
                set place "$place $word"
        end
    end
    test "$place" = "$argv[1]"
end
${places
  .flatMap(({ after, words, options }) => {
    const begins = `complete -c agentpr -n "__agentpr_after ${quoteWord(after)}"`;
    return [
      ...words.map(({ name, about }) => `${begins} -f -a ${quoteWord(name)} -d ${quoteWord(about)}`),
      ...options.map((option) => `${begins} ${fishOption(option)}`),
    ];
  })
  .join('\n')}
`;

const SCRIPTS: Record<Shell, (places: readonly Place[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
export const completionScript = (program: Command, shell: Shell): string => SCRIPTS[shell](placesIn(program));

/** `load` gives the program with all its commands. */
export const addCompletionCommand = (program: Command, load: () => Promise<Command>): void => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell that will read it').choices(SHELLS))
    .action(async (shell: Shell) => {
      process.stdout.write(completionScript(await load(), shell));
    });
};
