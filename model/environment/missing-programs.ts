/** The program that a check could not start, whoever tried: a shell, make, tox, a script, a language (E19). */

/** The group is the program's name; an example stands beside each and is tried by a test. */
export const MISSING_PROGRAMS: readonly { says: RegExp; example: string; program: string }[] = [
  {
    says: /^(?:\S{0,60}\/)?(?:ba|da|z|k)?sh: (?:(?:line )?\d{1,6}: )?([\w.+-]{1,60}): (?:command )?not found$/m,
    example: '/bin/sh: 1: Rscript: not found',
    program: 'Rscript',
  },
  {
    says: /^\S{1,120}: (?:line )?\d{1,6}: ([\w.+-]{1,60}): (?:command )?not found$/m,
    example: './ci/run.sh: line 12: shellcheck: command not found',
    program: 'shellcheck',
  },
  {
    says: /^(?:[gb]?make)(?:\[\d{1,3}\])?: ([\w+-][\w.+-]{0,60}): (?:Command not found|No such file or directory)$/m,
    example: 'make[1]: erlc: No such file or directory',
    program: 'erlc',
  },
  {
    says: /^(?:\/usr\/bin\/)?env: ['‘"]?([\w.+-]{1,60})['’"]?: No such file or directory$/m,
    example: '/usr/bin/env: ‘ruby’: No such file or directory',
    program: 'ruby',
  },
  {
    says: /\bspawn(?:Sync)? ([\w.+-]{1,60}) ENOENT\b/,
    example: 'Error: spawn dot ENOENT',
    program: 'dot',
  },
  {
    says: /\bexec: "([\w.+-]{1,60})": executable file not found in \$PATH/,
    example: 'exec: "golangci-lint": executable file not found in $PATH',
    program: 'golangci-lint',
  },
  {
    says: /^FileNotFoundError: \[Errno 2\] No such file or directory: ['"]([\w+-][\w+-]{0,60})['"]$/m,
    example: "FileNotFoundError: [Errno 2] No such file or directory: 'gpg'",
    program: 'gpg',
  },
  {
    says: /\bCannot run program "([\w.+-]{1,60})"/,
    example: 'java.io.IOException: Cannot run program "protoc": error=2, No such file or directory',
    program: 'protoc',
  },
  {
    says: /^\S{0,40}: (?:commands? )?failed with (?:error )?could not find executable:? ([\w.+-]{1,60})/im,
    example: 'lint: failed with could not find executable: pre-commit',
    program: 'pre-commit',
  },
  {
    says: /^Program '?([\w.+-]{1,60})'? (?:or command )?not found(?: or not executable)?$/m,
    example: "Program 'valac' not found or not executable",
    program: 'valac',
  },
];

/** Null where the output names none. */
export const findMissingProgram = (output: string): string | null => {
  for (const { says } of MISSING_PROGRAMS) {
    const program = says.exec(output)?.[1];
    if (program !== undefined) return program;
  }
  return null;
};
