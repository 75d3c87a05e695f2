/** F9, F11: what real templates hold beside places for answers stays out, and boxes are exact. */
import { expect, it } from 'vitest';
import { rendered, SAMPLES } from '../support/change-samples.ts';

const sample = (name: string) => {
  const one = SAMPLES[name];
  if (!one) throw new Error(name);
  return one;
};
const body = (template: string, of = 'feature'): string => rendered(sample(of), template).body;

it('F11: a box that names a folder is ticked by a file in it alone', () => {
  const template = '## What\n\n## Checklist\n\n- [ ] Add a news fragment into the `CHANGES/` folder\n';
  expect(body(template)).toContain('- [ ] Add a news fragment');
  const files = [...sample('feature').files, ['CHANGES/12.feature.rst', 1, 0] as const];
  expect(rendered({ ...sample('feature'), files }, template).body).toContain('- [x] Add a news fragment');
});

it('F11: tests that exist and documentation that reflects the change are ticked by their files', () => {
  const template =
    '## What\n\n## Checklist\n\n- [ ] Unit tests for the changes exist\n- [ ] Documentation reflects the changes\n';
  expect(body(template)).toContain(
    '- [x] Unit tests for the changes exist\n- [x] Documentation reflects the changes',
  );
  expect(body(template, 'fix')).toContain('- [ ] Documentation reflects the changes');
});

it('F9: what explains a box to whoever fills it is left out, with its lists and examples', () => {
  const template =
    '## What\n\n## Checklist\n\n- [ ] Add a note\n  * name it `<issue>.<type>.rst`\n    * `.bugfix`: A bug fix\n      of any kind.\n  * for example:\n    ```rst\n    Fixed it.\n    ```\n\n    Use the past tense.\n- [ ] Another\n  that goes on\n';
  const text = body(template);
  expect(text).toContain('- [ ] Add a note\n- [ ] Another\n  that goes on');
  for (const gone of ['bugfix', 'past tense', 'Fixed it.']) expect(text).not.toContain(gone);
});

it.each([
  [
    'above the first heading',
    '*Note*: Read the guide\nof this project.\n\n## Description\n',
    'Read the guide',
  ],
  [
    'below a heading that orders',
    '## Description\n\n## Please don’t\n\n- Work around compilers.\n',
    'compilers',
  ],
  [
    'before a list of conditions',
    'The issue you reference has to be:\n\n* open\n\n## Fixes\n\nFixes: #\n',
    'has to be',
  ],
])('F9: what speaks to whoever fills it is left out: %s', (_, template, gone) => {
  expect(body(template, 'fix')).not.toContain(gone);
});

it('F9: what a contributor states by sending it stays', () => {
  const template =
    'By submitting this pull request, I confirm that it is under the MIT licence.\n\n## Description\n';
  expect(body(template)).toContain('By submitting this pull request, I confirm');
});

it('F9: a question about users is answered with what they see', () => {
  const text = body('## What do these changes do?\n\n## Are there changes in behavior for the user?\n');
  expect(text).toMatch(/for the user\?\n\nAdd `--json` to the list command/);
  expect(text).not.toContain('The change is in');
});
