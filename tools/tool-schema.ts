/** What a row of `tools/rows` may say: the keys as a person writes them, checked when a row is read. */
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
/** The message is for whoever wrote the row. */
export const Pattern = z.string().min(1).refine(isPattern, 'is no regular expression');
/** A pattern that begins where the program's name ends. */
export const PatternBehindName = z.string().min(1).refine(isPattern, 'is no regular expression');
/** Each pattern with a text that it matches. */
const Examples = z.record(Pattern, z.string().min(1));
/** Words with blanks between them. */
const Words = z
  .string()
  .min(1)
  .transform((text) => text.split(/\s+/));
const Commands = z.array(z.string().min(1)).min(1);

/** With these a tool lists, plans, compiles or watches, and checks nothing. */
const Listing = z.strictObject({
  /** It never checks. */
  always: z.literal(true).optional(),
  options: Words.optional(),
  /** The first word that is no option. */
  subcommands: Words.optional(),
  /** Every word that is no option is one of these. */
  everyWord: Words.optional(),
  /** Letters that may stand together (`-kn`), and those behind which a value stands. */
  letters: z.string().optional(),
  lettersWithValue: z.string().optional(),
  /** Anything else in the words behind the program's name. */
  pattern: Pattern.optional(),
  examples: Commands,
});

/** Lines in what it prints, each of at most 400 characters. */
const TestResults = z.strictObject({
  /** It starts other programs, whose own counts weigh more. */
  startsOthers: z.literal(true).optional(),
  noTests: Examples.optional(),
  someTests: Examples.optional(),
  /** Only where no line is one of `countedBy`, which says it better. */
  someTestsUnlessCounted: Examples.optional(),
  countedBy: Examples.optional(),
  /** Some failed, whatever the exit code. */
  failures: Examples.optional(),
  /** There were tests, and all of them were skipped. */
  allSkipped: Examples.optional(),
});

/** Groups of a pattern are what names a test. */
const FailingTests = z.strictObject({
  /** Its output has one of these lines. */
  seenBy: Examples,
  names: Examples.optional(),
  /** A heading above the tests says where they belong. */
  below: z.strictObject({ heading: Pattern, test: Pattern, example: z.string() }).optional(),
  /** A verdict below the tests does: its word (`FAIL`), of what, and why. */
  above: z.strictObject({ test: Pattern, verdict: Pattern, example: z.string() }).optional(),
});
/** Complaints below a line that names the file. */
const ComplaintsBelow = z.strictObject({
  seenBy: Pattern,
  heading: Pattern,
  complaint: Pattern,
  example: z.string(),
});

/** A linter or formatter that can be asked about single files. */
const Linter = z.strictObject({
  /** Its sub-commands that do so; without them the program alone. */
  subcommands: Words.optional(),
  files: Pattern,
  /** Where it also writes: options with which it only checks. */
  checksWith: Pattern.optional(),
  /** Options that change what is complained about: with the word after them, and alone. */
  valued: Words.optional(),
  alone: Pattern.optional(),
  /** Options that are added. */
  adds: Words.optional(),
  takes: z.literal('folders').optional(),
  /** A pattern of its own names the groups `path`, `line` and `text`. */
  answers: z.union([z.enum(['at its line', 'below the path', 'the path']), Pattern]),
  /** An answer. */
  example: z.string().min(1),
});

/** A file of a repository that says which version it wants: the first group of the pattern. */
const VersionFile = z.strictObject({
  file: z.string().min(1),
  pattern: Pattern,
  /** It names the oldest version that will do. */
  atLeast: z.literal(true).optional(),
  example: z.string().min(1),
});

const Command = z.strictObject({
  /** `nothing`: it neither checks nor prepares. */
  for: z.enum(['test', 'lint', 'types', 'format', 'build', 'install', 'prepare', 'system', 'nothing']),
  /** What stands behind the program's name; without it every command of the program. */
  behind: PatternBehindName.optional(),
  /** Where it is another than that of the tool. */
  language: z.string().optional(),
  example: z.string().min(1),
});

export const Tool = z.strictObject({
  /** How the program is called. A report that no program alone prints (JUnit's XML) has no name. */
  names: Words.optional(),
  /** The language of what it works on; none where there are several. */
  language: z.string().optional(),
  /** The interpreter that may stand in front (`php vendor/bin/phpunit`). */
  startedBy: z.string().optional(),
  /** It reads files of every language: the program, or these sub-commands of it. */
  anyLanguage: z.union([z.literal(true), Words]).optional(),
  /** What its commands are for; the first that fits. */
  commands: z.array(Command).optional(),
  lists: Listing.optional(),
  /** It hands options of its own command line on to what it starts. */
  handsOn: z.literal(true).optional(),
  /** Variables in which it finds more options. */
  optionsIn: Words.optional(),
  testResults: TestResults.optional(),
  failingTests: z.array(FailingTests).optional(),
  /** What a compiler, linter or formatter complains of, without line and column. */
  complaints: Examples.optional(),
  complaintsBelow: ComplaintsBelow.optional(),
  linters: z.array(Linter).optional(),
  versionIn: z.array(VersionFile).optional(),
  /** What it is called in lists of tools, such as `.tool-versions`. */
  listedAs: Words.optional(),
  /** Programs that the host must have for it; `itself` is the program. */
  needs: Words.optional(),
  /** Of its names, those that the repository brings along. */
  bringsItself: Words.optional(),
});
export type ToolFile = z.infer<typeof Tool>;
/** `id` is the name of the file. */
export type ToolRow = ToolFile & { id: string };
