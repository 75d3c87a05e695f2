/** A stand-in for a coding agent: one shell command that mends the sample repository, the same way every time. */

export type SampleAgentOptions = {
  /**
   * How it behaves: `mends` (the default); `stumbles` (adds the failing test first and mends the bug when called again);
   * `idles` (changes nothing); `crashes` (exit code 1 half-way); `hangs` (mends, says so and never ends).
   */
  mood?: 'mends' | 'stumbles' | 'idles' | 'crashes' | 'hangs';
};

/**
 * For `sh -c`, in the repository's directory, with the prompt on stdin; needs Node 20 and no other file. Called again it
 * adds a line to the changelog if the prompt speaks of one, else it finds nothing to do. It prints progress, and a last
 * line of JSON with a summary.
 */
export function sampleAgentCommand({ mood = 'mends' }: SampleAgentOptions = {}): string {
  return `node --input-type=module -e '${script.replace('MOOD', mood)}'`;
}

// Without single quotes, so that the shell leaves it alone.
const script = `
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const mood = "MOOD";
const prompt = readFileSync(0, "utf8");
const say = (line) => console.log(line);
const done = (summary) => {
  say(JSON.stringify({ summary }));
  if (mood === "hangs") setInterval(() => {}, 1000);
};
const code = "src/waits.js";
const tests = "test/waits.test.js";
const changes = "CHANGELOG.md";
const bug = "factor ** failed,";
const mended = "factor ** (failed - 1),";
const proof = [
  "",
  "test(\\"waits as long as the README says\\", () => {",
  "  assert.deepEqual(waits({ tries: 4 }), [100, 200, 400]);",
  "});",
  "",
].join("\\n").replaceAll("\\"", String.fromCharCode(39));

say("Read a prompt of " + prompt.length + " characters");
const source = existsSync(code) ? readFileSync(code, "utf8") : "";
const proven = existsSync(tests) && readFileSync(tests, "utf8").includes("as the README says");
if (mood === "idles") {
  done("Found nothing to change");
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
    done("Added a test that shows the bug");
  } else {
    writeFileSync(code, source.replace(bug, mended));
    say("Mended " + code);
    done("The first wait is the documented one; a test proves it");
  }
} else if (/changelog/i.test(prompt) && existsSync(changes) && !readFileSync(changes, "utf8").includes("Unreleased")) {
  const entry = "# Changelog\\n\\n## Unreleased\\n\\n- The first wait is as long as documented.\\n";
  writeFileSync(changes, readFileSync(changes, "utf8").replace("# Changelog\\n", entry));
  say("Added a line to " + changes);
  done("The changelog tells of the fix");
} else {
  done("Found nothing to change");
}
`;
