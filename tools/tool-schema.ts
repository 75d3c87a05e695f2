/** What a row of `tools/rows` may say, checked when a row is read. `docs/tools.md` says what each key means. */
import { z } from 'zod';
import { patternSource } from './pattern.ts';

const isPattern = (text: string): boolean => {
  const { source, flags } = patternSource(text);
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
};
/** Patterns that stand within one of ours have no place for flags in front. */
const isPart = (text: string): boolean => patternSource(text).flags === '';
const NO_FLAGS = 'takes no flags in front';
export const Pattern = z.string().min(1).refine(isPattern, 'is no regular expression');
/** A pattern that begins where the program's name ends. */
export const PatternBehindName = z.string().min(1).refine(isPattern, 'is no regular expression');
/** A pattern that stands anywhere in a line. */
export const LinePattern = z.string().min(1).refine(isPattern, 'is no regular expression');
const LineExamples = z.record(LinePattern, z.string().min(1));
/** A pattern that is looked for in a text of one line. */
export const SingleLinePattern = z.string().min(1).refine(isPattern, 'is no regular expression');
/** A pattern of a whole word. */
export const WholePattern = z
  .string()
  .min(1)
  .refine(isPattern, 'is no regular expression')
  .refine(isPart, NO_FLAGS);
/** Long options without their dashes, each a pattern of the whole word. */
export const LongOptions = z
  .string()
  .min(1)
  .transform((text) => text.split(/\s+/))
  .refine((words) => words.every(isPattern), 'has no regular expression')
  .refine((words) => words.every(isPart), NO_FLAGS);
/** Each pattern with a text that it matches. */
const Examples = z.record(Pattern, z.string().min(1));
const Words = z
  .string()
  .min(1)
  .transform((text) => text.split(/\s+/));
const Commands = z.array(z.string().min(1)).min(1);

const Listing = z.strictObject({
  always: z.literal(true).optional(),
  options: Words.optional(),
  subcommands: Words.optional(),
  everyWord: Words.optional(),
  letters: z.string().optional(),
  lettersWithValue: z.string().optional(),
  pattern: Pattern.optional(),
  examples: Commands,
});

const TestResults = z.strictObject({
  startsOthers: z.literal(true).optional(),
  noTests: Examples.optional(),
  someTests: Examples.optional(),
  someTestsUnlessCounted: Examples.optional(),
  countedBy: Examples.optional(),
  failures: Examples.optional(),
  allSkipped: Examples.optional(),
});

const FailingTests = z.strictObject({
  seenBy: Examples,
  names: Examples.optional(),
  below: z.strictObject({ heading: Pattern, test: Pattern, example: z.string() }).optional(),
  above: z.strictObject({ test: Pattern, verdict: Pattern, example: z.string() }).optional(),
});
const ComplaintsBelow = z.strictObject({
  seenBy: Pattern,
  heading: Pattern,
  complaint: Pattern,
  example: z.string(),
});

const Linter = z.strictObject({
  subcommands: Words.optional(),
  files: Pattern,
  checksWith: Pattern.optional(),
  valued: Words.optional(),
  alone: Pattern.optional(),
  adds: Words.optional(),
  takes: z.literal('folders').optional(),
  answers: z.union([z.enum(['at its line', 'below the path', 'the path']), Pattern]),
  example: z.string().min(1),
});

const VersionFile = z.strictObject({
  file: z.string().min(1),
  pattern: Pattern,
  atLeast: z.literal(true).optional(),
  example: z.string().min(1),
});

const Command = z.strictObject({
  for: z.enum(['test', 'lint', 'types', 'format', 'build', 'install', 'prepare', 'system', 'nothing']),
  behind: PatternBehindName.optional(),
  language: z.string().optional(),
  example: z.string().min(1),
});

const ReportLine = z.union([z.enum(['a JavaScript frame', 'a count of failures']), Pattern]);
const Report = z.strictObject({
  sees: z.array(z.string().min(1)).min(1).optional(),
  first: z.array(Pattern).min(1),
  before: z.int().min(0),
  after: z.int().min(0),
  place: ReportLine.optional(),
  head: Pattern.optional(),
  summary: ReportLine.optional(),
  example: z.string().min(1),
});

const ToolError = z.strictObject({
  means: z.enum(['stale_lockfile', 'no_program', 'wrong_version', 'no_package']),
  program: z.string().min(1).optional(),
  lines: LineExamples,
});

const Place = { path: z.string().regex(/^[a-z+-]+$/), base: z.url({ protocol: /^https$/ }) };
const Registry = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  ...Place,
  namedIn: Words.optional(),
  sets: z.record(z.string().min(1), z.string()).optional(),
  files: z
    .array(z.strictObject({ folder: z.string().min(1), name: z.string().min(1), content: z.string().min(1) }))
    .optional(),
  more: z.array(z.strictObject(Place)).optional(),
  beside: Words.optional(),
  rewrites: z.literal(true).optional(),
  rewritesItself: Pattern.optional(),
  readOnlyHosts: Words.optional(),
});

/** A pattern between other words of a task. */
export const TaskPattern = z
  .string()
  .min(1)
  .refine(isPattern, 'is no regular expression')
  .refine(isPart, NO_FLAGS);
const TaskExamples = z.record(TaskPattern, z.string().min(1));
const ofPurposes = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({
    test: value.optional(),
    lint: value.optional(),
    types: value.optional(),
    format: value.optional(),
    build: value.optional(),
  });
const OnlyLooks = z.strictObject({
  writes: Pattern,
  looks: z.string().min(1),
  example: z.string().min(1),
  becomes: z.string().min(1),
});

const Manifest = z.strictObject({
  file: WholePattern,
  format: z.enum(['json', 'requirements', 'toml', 'go.mod', 'pom', 'yaml', 'lines']),
  sections: Words.optional(),
  pairs: SingleLinePattern.optional(),
  one: SingleLinePattern.optional(),
  lists: SingleLinePattern.optional(),
  pattern: SingleLinePattern.optional(),
  example: z.string().min(1),
});

const ExitSaysNothing = z.strictObject({ words: Pattern, examples: Commands, others: Commands });

const HostProgram = z.strictObject({
  name: z.string().min(1).optional(),
  programs: Words,
  asksVersion: z.string().min(1).optional(),
  get: z.array(z.string().min(1)),
  places: z
    .array(
      z.strictObject({
        /** Path below the home; a last part of `*` matches anything. */
        at: z.string().min(1),
        /** Only these parts are exposed: others may hold credentials. */
        parts: z.array(z.string().min(1)).optional(),
        variable: z.string().min(1).optional(),
        /** The program writes there, so a run gets its own folder. */
        written: z.literal(true).optional(),
      }),
    )
    .optional(),
  /** Variables in its box; `~` is the run's HOME. The operator's come first. */
  env: z.record(z.string().min(1), z.string()).optional(),
});

const Harmless = z.strictObject({
  programs: Words.optional(),
  pythonModule: z.enum(['too', 'only']).optional(),
  subcommands: WholePattern.optional(),
  subcommandFirst: z.literal(true).optional(),
  options: z.union([z.literal('any'), WholePattern]).optional(),
  longOptions: LongOptions.optional(),
  optionsOf: z.string().optional(),
  valued: WholePattern.optional(),
  operands: WholePattern.optional(),
  maxOperands: z.int().min(1).optional(),
  passed: WholePattern.optional(),
  passedOptionsOf: z.string().optional(),
  noGlobs: z.literal(true).optional(),
  examples: Commands.optional(),
  refused: Commands.optional(),
});

export const Tool = z.strictObject({
  names: Words.optional(),
  language: z.string().optional(),
  startedBy: z.string().optional(),
  anyLanguage: z.union([z.literal(true), Words]).optional(),
  commands: z.array(Command).optional(),
  lists: Listing.optional(),
  /** Exit code 0 whatever it finds, and it prints more than what it finds. */
  neverFails: Listing.optional(),
  exitSaysNothing: ExitSaysNothing.optional(),
  handsOn: z.literal(true).optional(),
  optionsIn: Words.optional(),
  testResults: TestResults.optional(),
  failingTests: z.array(FailingTests).optional(),
  complaints: Examples.optional(),
  complaintsBelow: ComplaintsBelow.optional(),
  errors: z.array(ToolError).optional(),
  httpStatus: LineExamples.optional(),
  linters: z.array(Linter).optional(),
  reports: z.array(Report).optional(),
  versionIn: z.array(VersionFile).optional(),
  listedAs: Words.optional(),
  needs: Words.optional(),
  host: HostProgram.optional(),
  image: z.string().min(1).optional(),
  bringsItself: Words.optional(),
  taskWords: ofPurposes(Words).optional(),
  inTasks: ofPurposes(TaskExamples).optional(),
  formatsWith: TaskExamples.optional(),
  lintsWith: TaskExamples.optional(),
  rewritesWith: TaskExamples.optional(),
  onlyLooks: z.array(OnlyLooks).optional(),
  dependenciesIn: z.array(Manifest).optional(),
  fetchesWith: Words.optional(),
  addsWith: Words.optional(),
  settingsFiles: z.record(WholePattern, z.string().min(1)).optional(),
  settingsFolders: Words.optional(),
  modules: Words.optional(),
  tasksIn: Words.optional(),
  alsoTasksIn: Words.optional(),
  runsFolder: z.string().min(1).optional(),
  tasksAs: z
    .enum(['make', 'just', 'task', 'mise', 'tables', 'environments', 'sessions', 'aliases'])
    .optional(),
  readFiles: z.record(WholePattern, z.string().min(1)).optional(),
  comesWithCi: TaskExamples.optional(),
  prepares: TaskExamples.optional(),
  calledByPath: Words.optional(),
  takesParts: WholePattern.optional(),
  /** Options that choose what is compiled into what is tested, and the one that chooses all of it. */
  features: z.strictObject({ options: Words, all: z.string().min(1).optional() }).optional(),
  ordinaryTask: z.literal(true).optional(),
  runtimeOf: z.string().min(1).optional(),
  versionKeys: Words.optional(),
  registry: Registry.optional(),
  registryHosts: Words.optional(),
  harmless: Harmless.optional(),
});
type ToolFile = z.infer<typeof Tool>;
/** `id` is the name of the file. */
export type ToolRow = ToolFile & { id: string };
