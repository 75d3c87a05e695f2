/** A simulated coding agent: one shell command that fixes the sample repository. */

export type SampleAgentOptions = {
  /**
   * Behaviour:
   * - `mends`: fixes the bug (default)
   * - `stumbles`: adds a failing test, and fixes the bug in the next call
   * - `idles`: changes nothing
   * - `crashes`: exits with code 1 half-way
   * - `hangs`: fixes the bug and never ends
   * - `learns`: fixes it wrongly, then does what the prompt says (test, changelog, README)
   */
  mood?: 'mends' | 'stumbles' | 'idles' | 'crashes' | 'hangs' | 'learns';
  /** Changes nothing for a goal that it does not know, and says which ones it knows. */
  knowsItsGoals?: boolean;
};

/** Runs by `sh -c` in the repository with the prompt on stdin. Prints JSON last. */
export function sampleAgentCommand({
  mood = 'mends',
  knowsItsGoals = false,
}: SampleAgentOptions = {}): string {
  const told = script.replace('MOOD', mood).replace('PICKY', String(knowsItsGoals));
  return `node --input-type=module -e '${told}'`;
}

// No single quotes, so that the shell does not change it.
const script = `
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const mood = "MOOD";
const picky = PICKY;
const prompt = readFileSync(0, "utf8");
const say = (line) => console.log(line);
const done = (summary, why) => {
  say(JSON.stringify({ summary, ...(why ? { why } : {}) }));
  if (mood === "hangs") setInterval(() => {}, 1000);
};
const code = "src/waits.js";
const tests = "test/waits.test.js";
const changes = "CHANGELOG.md";
const bug = "factor ** failed,";
const slip = "factor ** failed - 1,";
const mended = "factor ** (failed - 1),";
const proof = [
  "",
  "test(\\"waits as long as the README says\\", () => {",
  "  assert.deepEqual(waits({ tries: 4 }), [100, 200, 400]);",
  "});",
  "",
].join("\\n").replaceAll("\\"", String.fromCharCode(39));

// What is asked for after the fix: how people speak of it, in which file, and what shows that it is there already.
const wishes = [
  {
    asked: /changelog/i,
    file: changes,
    shows: "as long as documented",
    note: "- The first wait is as long as documented.",
    summary: "Tell of the first wait in the changelog",
  },
  {
    asked: /readme[^\\n]*default|default[^\\n]*readme/i,
    file: "README.md",
    shows: "[100, 200]",
    from: "lists the waits without waiting.",
    to: "lists the waits without waiting; with the defaults that is \`[100, 200]\`.",
    summary: "Say in the README what waits() gives with the defaults",
  },
];
// Other orders than the bug, done in one go.
const orders = [
  {
    asked: /what one try does/i,
    file: "README.md",
    from: "\`waits(options)\` lists",
    to: "With one try (\`tries: 1\`) nothing is waited for: the first error is thrown.\\n\\n\`waits(options)\` lists",
    note: "- The README says what one try does.",
    summary: "Say in the README what one try does",
    why: "With tries: 1 nothing is waited for, which nobody could read there.",
  },
  {
    asked: /workflow that runs npm test/i,
    file: ".github/workflows/test.yml",
    from: "",
    to: [
      "name: test",
      "on: pull_request",
      "permissions:",
      "  contents: read",
      "jobs:",
      "  test:",
      "    runs-on: ubuntu-latest",
      "    steps:",
      "      - uses: actions/checkout@v4",
      "      - uses: actions/setup-node@v4",
      "      - run: npm test",
      "",
    ].join("\\n"),
    note: "- Each pull request is tested.",
    summary: "Run npm test on each pull request",
    why: "So far nothing runs npm test but contributors themselves.",
  },
];
const text = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "");
const isOpen = ({ asked, file, shows, from = "" }) =>
  asked.test(prompt) && text(file).includes(from) && !text(file).includes(shows);
const edit = (file, from, to) => {
  mkdirSync(file.split("/").slice(0, -1).join("/") || ".", { recursive: true });
  writeFileSync(file, text(file).replace(from, () => to));
  say("Mended " + file);
};
// One list of what is not released yet, however often something is added to it.
const tell = (note) => {
  const head = "## Unreleased\\n";
  if (text(changes).includes(head)) edit(changes, head + "\\n", head + "\\n" + note + "\\n");
  else edit(changes, "# Changelog\\n", "# Changelog\\n\\n" + head + "\\n" + note + "\\n");
};

say("Read a prompt of " + prompt.length + " characters");
const source = text(code);
const proven = text(tests).includes("as the README says");
// A prompt has its goal and the words of people in parts of their own; a prompt of words alone has none.
const partsLike = (title) =>
  prompt.split(/^## /m).slice(1).filter((part) => title.test(part.split("\\n", 1)[0])).map((part) => part.replace(/^.*\\n/, "").trim());
const [goal = prompt] = partsLike(/^Goal$/);
const order = mood === "learns" ? orders.find((one) => one.asked.test(goal)) : undefined;
const isKnown = !picky || /first wait|waits start|documented time/i.test(goal);
// The recording follows its own task: what is asked for beside another one is not in it.
const knows = order || !isKnown ? [] : mood === "learns" ? wishes : wishes.slice(0, 1);
const asked = knows.filter(isOpen);
const words = partsLike(/^(Why your last change was rejected|What you are told to do now|What reviewers )/)
  .map((part) => part.split("\\n").filter((line) => !/^(\`{3}|.* requested changes:$|\\[\\d+\\] |The lines it is about:)/.test(line)).join(" ").replace(/\\s+/g, " ").trim())
  .filter(Boolean)
  .join(" ");
const isUnderstood = knows.some((one) => one.asked.test(words));
const hear = () => done("This agent is a recording; your words reached it: “" + words.slice(0, 200) + "”");
const isWaiting = words !== "" && !isUnderstood;

if (order && !text(changes).includes(order.note)) {
  edit(order.file, order.from, order.to);
  tell(order.note);
  done(order.summary, order.why);
} else if (mood === "learns" && isWaiting) {
  hear();
} else if (order || mood === "idles") {
  done("Found nothing to change");
} else if (!isKnown) {
  done("The agent of this demo is a recording. It knows three changes: fix the first wait; say in the README what one try does; add a workflow that runs npm test.");
} else if (source.includes(bug)) {
  if (!proven) {
    writeFileSync(tests, readFileSync(tests, "utf8") + proof);
    say("Added a test to " + tests);
  }
  if (mood === "crashes") {
    console.error("The model went away");
    process.exit(1);
  }
  if (mood === "stumbles" && !proven) {
    done("Add a test that shows the bug");
  } else {
    edit(code, bug, mood === "learns" ? slip : mended);
    done("Make the first wait as long as documented", "The exponent counted the failed try itself, so that waits began with factor times the delay.");
  }
} else if (source.includes(slip)) {
  if (/as the README says|AssertionError|not ok/.test(prompt)) {
    edit(code, slip, mended);
    done("Take one from the exponent instead of the wait");
  } else {
    done("Found nothing to change");
  }
} else if (asked.length > 0) {
  for (const { file, from, to, note } of asked) note ? tell(note) : edit(file, from, to);
  done(asked.map(({ summary }) => summary).join("; "));
} else {
  done("Found nothing to change");
}
`;
