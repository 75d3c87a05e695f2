/** G11, E21: in a real browser, a press for bytes that changed is refused and says what changed; a question decides nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ASKED_PROGRAM_ENV, installAskedProgram } from '../../support/asked-program.ts';
import { DESK, findChromium, PHONE } from '../../support/browser.ts';
import { startPagedProduct, type PagedProduct } from '../../support/paged-product.ts';
import { startTlsFront, type TlsFront } from '../../support/tls-front.ts';
import { holdKey } from '../../support/virtual-key.ts';

const chromium = findChromium();
const tools = mkdtempSync(join(tmpdir(), 'agentpr-tools-'));
let front: TlsFront | undefined;
let world: PagedProduct | undefined;
afterEach(async () => {
  await world?.close();
  await front?.close();
  rmSync(tools, { recursive: true, force: true });
});

it('G11, E21: bytes that changed between page and press are refused with what changed; a question leaves the seal', async ({
  skip,
}) => {
  if ('missing' in chromium) return skip(chromium.missing);
  front = await startTlsFront();
  const { publicUrl, browserArgs } = front;
  world = await startPagedProduct(
    chromium.path,
    { phone: PHONE, forge: DESK },
    {},
    {
      env: { ...ASKED_PROGRAM_ENV, AGENTPR_PUBLIC_URL: publicUrl },
      config: installAskedProgram(tools, { hangs: false }),
      browserArgs,
      begins: (port) => front?.leadsTo(port),
    },
  );
  const { ana, product, open, repo } = world;
  await ana.opensChat('agentpr test');
  await ana.says('/passkey');
  const shown = await ana.reads('Your link to register a key');
  const { page } = await open('about:blank', DESK);
  await holdKey(page);
  await page.goto(/https:\S+\/board\/enter\/\S+/.exec(shown)?.[0] ?? '');
  await page.getByRole('button', { name: 'Register a key on this device' }).click();
  await page
    .locator('#register-says')
    .getByText(/^Registered: /)
    .waitFor();
  await ana.says('/new acme/patient Write one more line check="grep -q more README.md"');
  await ana.reads('Open this');
  const id = product.run()?.id ?? '';
  const first = product.run()?.gate;

  // What was asked on the board is answered there, below a decision that stays open.
  await page.goto(`${publicUrl}/board/run/${id}/diff`);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.locator('#decide-why').fill('Why is it so long?');
  await page.locator('#decide-send').click();
  await page.locator('#live').getByText('Asked. The answer comes below').waitFor();
  await page.locator('#questions').getByText('It was too long.').waitFor();
  expect(product.run()?.gate).toEqual(first);
  expect(await page.getByRole('button', { name: 'Open PR' }).isVisible()).toBe(true);

  // A page that hears of nothing: the bytes change, and the press signs the old ones.
  await page.route(/\/live\?/, (route) => route.abort());
  await page.reload();
  const pressed = page.getByRole('button', { name: 'Open PR' });
  await pressed.waitFor();
  const before = product.run()?.change.commit?.sha.slice(0, 12) ?? '';
  await ana.says(`/changes ${id} Write another line too.`);
  await product.waitFor(
    () => {
      const run = product.run();
      return run?.gate.approval && run.change.commit?.sha.slice(0, 12) !== before ? run : null;
    },
    { what: 'the card of the changes' },
  );
  const after = product.run()?.change.commit?.sha.slice(0, 12) ?? '';
  await pressed.click();
  await page.locator('#decide-says').getByText('That is no longer what would be published').waitFor();
  expect(await page.locator('#decide-says').innerText()).toContain(`${before} → ${after}`);
  expect(repo.pulls).toEqual([]);
  expect(product.run()?.gate.consumedApproval).toBeNull();

  // What is shown now can be signed.
  await page.reload();
  await page.getByRole('button', { name: 'Open PR' }).click();
  await page.locator('#live').getByText('Approved with your key.').waitFor();
  await product.waitFor(() => repo.pulls.length === 1, { what: 'the pull request' });
  expect(repo.pulls[0]?.headSha.slice(0, 12)).toBe(after);
  expect(product.complaints()).toEqual([]);
}, 300_000);
