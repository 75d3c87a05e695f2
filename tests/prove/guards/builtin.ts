/** Guards of the built-in engine, and of what repositories bring for agents. */
import { never } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const BUILTIN: readonly Guard[] = [
  ...noticedBy(test('adapters/repository-settings'), [
    ['E11-no-link-to-settings', 'settings behind a link are left alone', never],
  ]),
  ...noticedBy(test('core/builtin-loop'), [
    ['E9-table-of-states', 'no turn takes a step that the table does not have', never],
    ['E9-done-with-an-action', 'a report with an action is invalid', never],
  ]),
  ...noticedBy(test('adapters/builtin-engine'), [
    ['E9-invalid-thoughts', 'thoughts that count for nothing end the round', never],
    ['E9-context-before-sending', 'what the model cannot read is not sent', never],
    ['E9-inside-the-workspace', 'what is outside of the workspace is denied at once', never],
  ]),
];
