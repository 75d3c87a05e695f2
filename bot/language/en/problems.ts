/** English messages for invalid commands. Plain text, not escaped. */
import type { MAX_ARGUMENT_LENGTHS, CommandProblem } from '../../../orchestrator/model/command-problems.ts';
import { shellName } from '../../../orchestrator/model/fill-variables.ts';
import type { SignOffProblem } from '../../../orchestrator/model/trailers.ts';
import { enValidationIssue } from './validation-issues.ts';
import { groupDigits, type SentenceCatalogue } from '../../text/catalogue.ts';

const long: Record<keyof typeof MAX_ARGUMENT_LENGTHS, string> = {
  reason: 'The reason',
  advice: 'What the agent is told',
  title: 'The title',
  description: 'The description',
  goal: 'The goal',
  instruction: 'What is to be done',
};

const signOff: Record<SignOffProblem, string> = {
  form: '',
  name: 'The name is punctuation alone, or has @ or a character that nobody sees. ',
  address: 'What stands between < and > is not an email address. ',
};

export const enProblems: SentenceCatalogue<CommandProblem> = {
  flag: ({ flag }) => `${flag} is not a flag of this command.`,
  state: ({ text }) => `${text} is not a state.`,
  repo: ({ text }) => `${text} is not a repository I can work on; write owner/name, or paste its link.`,
  pull: ({ text }) => `${text} is not a link to a pull request.`,
  pulls: ({ most }) => `A campaign follows ${most} pull requests at most.`,
  branch: ({ text }) => `${text} is not a branch name that git accepts.`,
  language: ({ text }) => `${text} is not a language I speak.`,
  user: ({ text }) => `${text} is not a person’s id; /settings shows your own.`,
  amount: ({ text }) => `${text} is not an amount; write a number, or +number for that much more.`,
  no_list: () =>
    'Name the repositories: owner/name, one on each line or with spaces between them; or search for them: org:acme, team:acme/web, repos:"topic:cli user:ana", code:"filename:.nvmrc org:acme".',
  queries: ({ most }) => `That is more than ${most} searches; split them into several campaigns.`,
  query: ({ text }) =>
    `${text} is not a way to search for repositories; use org:<name>, team:<organisation>/<team>, repos:<search> or code:<search>.`,
  query_quote: ({ text }) => `The quotation mark in this search is never closed: ${text}`,
  list_long: ({ most }) =>
    `That is more than ${groupDigits(most)} repositories; split them into several campaigns.`,
  line: ({ line, text }) => `Line ${line} names no repository: ${text}`,
  line_more: ({ line, text }) =>
    `Line ${line} has something besides the repository: ${text}. In a table, the first line names the columns: repo,team`,
  file_long: ({ most }) => `The file is longer than ${groupDigits(most)} bytes.`,
  file_yaml: ({ line, says }) => `Line ${line} of the file is not valid YAML: “${says}”.`,
  file_documents: ({ line }) =>
    `Line ${line} of the file begins a second document; a file has one campaign. Remove the line ---, or make another file of what follows.`,
  file_twice: ({ line }) =>
    `Line ${line} of the file has a key that was given before; remove one of the two.`,
  file_deep: ({ line }) => `Line ${line} of the file is nested too deeply; a campaign needs few levels.`,
  file_alias: ({ line }) => `Line ${line} of the file refers to another part of it; write the value out.`,
  file_key: ({ line, key, near }) =>
    `Line ${line} of the file: there is no ${key}.${near === null ? '' : ` Did you mean ${near}?`}`,
  file_value: ({ line, misfit: it }) =>
    it.path.length === 0
      ? enValidationIssue(it, 'The file')
      : `Line ${line} of the file: ${enValidationIssue(it, 'the file')}`,
  file_repo: ({ at, text }) => `Repository number ${at} is not a repository: ${text}`,
  file_fixes: () =>
    'Each of the fixes has a title and either a goal or a script, the same for all. With fixes there is no script beside them, one engine, and no flow: plan.',
  file_after_self: ({ line, repo }) =>
    `Line ${line} of the file: ${repo} cannot come after itself. Leave that out.`,
  file_after_unknown: ({ line, repo }) =>
    `Line ${line} of the file: ${repo} is not among its repositories. List it there, or leave it out of after.`,
  file_after_twice: ({ line, repo }) =>
    `Line ${line} of the file: ${repo} stands there twice. Leave one out.`,
  file_circle: ({ line, way }) =>
    `Line ${line} of the file: each of these waits for the next, so none could begin: ${way}. Take one after away.`,
  file_scripts: () =>
    'Where one repository has a script of its own, all have one, or the file has one for the others.',
  file_repos: () => 'The file has neither repositories nor query.',
  file_goal: () => 'The file has neither goal nor script.',
  file_engine: () => 'A script needs no engine; leave one of the two out.',
  file_script: () =>
    'Scripts are given at the host: run `agentpr campaign plan` with this file there. Here, engine: script runs the host’s own.',
  file_text: () => 'The file is not plain text.',
  file_hard: () => 'Reading the file takes too long. Make it shorter or simpler.',
  file_gone: () => 'The file cannot be fetched from the chat. Send it again; it may have 1 MB.',
  picture_large: ({ most }) =>
    `That picture is too large: at most ${most / 1_000_000} MB are taken. Send it as a photo, not as a file.`,
  picture_gone: ({ most }) =>
    `The picture cannot be fetched from the chat, or is larger than ${most / 1_000_000} MB. Send it again.`,
  picture_form: () =>
    'That is no picture I can pass on: it has to be one whole JPEG, PNG or WebP. Send a screenshot or a photo.',
  picture_points: () =>
    'That picture has too many points: at most 25 million, and 8,000 on a side. Send it as a photo, not as a file.',
  file_words: () => 'A campaign file contains everything; send it with /batch alone.',
  variable: ({ name, repo }) =>
    `{{${name}}} is not given for ${repo}. If it is no variable and is to stay as it is, write {{{{${name}}}}}.`,
  variable_taken: ({ name, repo }) =>
    `{{${name}}} is a part of the repository's own name, and ${repo} has another value for it. Call the variable something else.`,
  misplaced: ({ name, repo }) =>
    `{{${name}}} of ${repo} has characters that cannot be quoted safely where it stands: in a comment, after a backslash, a substitution or a here-document, or in text that another shell runs. Make export ${shellName(name)}={{${name}}} the first line, and write "$${shellName(name)}" there, within single quotes where another shell runs it.`,
  no_variable: ({ text }) =>
    `${text} would be published as it stands: it is no variable. Names have letters, digits, - and _. If it is to stay as it is, write {{{{ … }}}}.`,
  variable_long: ({ name, repo, most }) =>
    `{{${name}}} of ${repo} is longer than ${groupDigits(most)} characters; shorten it in the list.`,
  column: ({ name }) =>
    `{{${name}}} cannot be filled in: rename that column, with letters, digits, - and _, a letter first.`,
  no_goal: () => 'Say what to change.',
  no_instruction: () => 'Say what to fix.',
  sign_off: ({ wrong }) => `${signOff[wrong]}Write your own name and address like this: Name <email>.`,
  value: ({ option }) => `${option}= needs a value.`,
  twice: ({ option }) => `${option}= was given twice.`,
  quote: ({ option }) =>
    option === 'goal'
      ? 'The quotation mark before the goal is never closed.'
      : `The quotation mark after ${option}= is never closed.`,
  option: ({ option, near, all }) =>
    `${option}= is not an option.${near === null ? ` There are: ${all}.` : ` Did you mean ${near}=?`} If it belongs to the goal, put the whole goal in "quotation marks".`,
  setting: ({ text, near, all }) =>
    `${text} is not a setting.${near === null ? ` There are: ${all}.` : ` Did you mean ${near}?`}`,
  choice: ({ setting, text, all }) => `${setting} cannot be ${text}; it can be: ${all}.`,
  bounds: ({ setting, text, least, most, off }) =>
    `${setting} cannot be ${text}; write a number from ${groupDigits(least)} to ${groupDigits(most)}${off ? ', or off' : ''}.`,
  flow: ({ text, all }) => `${text} is not a way of working; there are: ${all}.`,
  discovery: ({ text, all }) => `${text} cannot read a repository; there are: ${all}.`,
  install: ({ text, all }) => `install= cannot be ${text}; it can be: ${all}.`,
  engine: ({ text, all }) => `${text} is not an engine; there are: ${all}.`,
  no_engine: () =>
    'No engine is chosen, so nobody could do the work. On the host, agentpr init finds the agents that are there, or AGENTPR_ENGINE in .env names one; an order may name its own: engine=codex.',
  engines: () =>
    'Several proposers: up to three different ones with commas between them, as codex,claude or builtin:<model>,builtin:<model>. Several engines do not go with flow=plan.',
  proposers: ({ text, all }) =>
    `${text} takes no models after a colon; these do: ${all}. Without a colon several engines try the goal in turn.`,
  reported: ({ text, all }) => `A report has no ${text}; there are: ${all}.`,
  prompt_version: ({ text, all }) => `${text} is not a prompt version; there are: ${all}.`,
  role: ({ text, all }) => `${text} is not a role; there are: ${all}.`,
  budget: ({ text, all }) => `${text} is not a budget; there are: ${all}.`,
  long: ({ what, most }) => `${long[what]} is longer than ${groupDigits(most)} characters.`,
};
