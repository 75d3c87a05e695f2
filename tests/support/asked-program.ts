/**
 * A program that speaks as codex does: it writes a line, then another for whoever asks for changes,
 * and answers questions; where it `hangs`, its first question is never answered.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const ASKED_PROGRAM_ENV = { AGENTPR_ENGINE: 'codex', CODEX_API_KEY: 'sk-of-the-operator' };

const programText = (hangs: boolean): string => `#!/bin/sh
cat > "$HOME/prompt"; echo "$*" >> "$HOME/args"
say() { echo '{"type":"thread.started","thread_id":"t1"}'; echo '{"type":"turn.started"}'
  echo '{"type":"item.completed","item":{"id":"i0","type":"agent_message","text":"{\\\\"status\\\\":\\\\"done\\\\",\\\\"summary\\\\":\\\\"'"$1"'\\\\",\\\\"ran\\\\":[]}"}}'
  echo '{"type":"turn.completed","usage":{"input_tokens":5,"cached_input_tokens":0,"output_tokens":2}}'; }
case "$*" in
  *resume*)
    if grep -q 'asks you about your work' "$HOME/prompt"; then
      if [ ! -f "$HOME/hung" ]; then : > "$HOME/hung"; ${hangs ? 'sleep 600; ' : ''}fi
      echo stray >> README.md; say 'It was too long.'
    elif grep -q Nothing "$HOME/prompt"; then say 'There is nothing to change.'
    else echo other >> README.md; say 'One line more.'; fi ;;
  *) echo more >> README.md; say 'One more line.' ;;
esac
`;

/** Returns the keys of the configuration that lead to it. */
export const installAskedProgram = (tools: string, { hangs = true } = {}) => {
  const command = join(tools, 'codex');
  mkdirSync(tools, { recursive: true });
  writeFileSync(command, programText(hangs), { mode: 0o755 });
  return { tools: [tools], engines: { codex: { command } } };
};
