/**
 * `npm run animation`: plays one order on the demo's phone and code host, and writes the README's
 * moving picture. Needs Chromium, img2webp (Debian: webp) and the fonts Inter and JetBrains Mono.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleGoal } from '#playground';
import { DESK, findChromium, PHONE } from './browser.ts';
import { startPagedProduct } from './paged-product.ts';

const FILE = join(import.meta.dirname, '../../docs/images/story.webp');
const MAX_BYTES = 2_000_000;
const STAGE = { width: 1180, height: 720 };
const STYLE = `
  body { margin: 0; width: ${STAGE.width}px; height: ${STAGE.height}px; background: #eef1f5; font: 600 22px Inter, sans-serif; color: #1b2733; }
  figure { position: absolute; top: 24px; margin: 0; overflow: hidden; box-shadow: 0 4px 18px #1b273326; background: #fff; }
  .phone { left: 24px; width: 282px; height: 610px; border-radius: 22px; }
  .forge { left: 330px; width: 826px; height: 610px; border-radius: 10px; }
  img { width: 100%; display: block; }
  .tap { position: absolute; width: 34px; height: 34px; margin: -17px 0 0 -17px; border-radius: 50%; background: #2f80ed55; border: 3px solid #2f80ed; box-sizing: border-box; }
  p { position: absolute; left: 24px; right: 24px; bottom: 20px; margin: 0; text-align: center; }`;
const SCALE = 282 / 390;

type Frame = { file: string; ms: number };

const chromium = findChromium();
if ('missing' in chromium) throw new Error(`No animation: ${chromium.missing}`);
const folder = mkdtempSync(join(tmpdir(), 'agentpr-animation-'));
const looks = {
  phone: { ...PHONE, deviceScaleFactor: 2 },
  forge: { ...DESK, viewport: { width: 1060, height: 783 } },
};
const world = await startPagedProduct(chromium.path, looks, { botName: 'agentpr_demo_bot' });
const frames: Frame[] = [];
try {
  const { ana, maintainer, phone, forge } = world;
  const stage = await world.open('about:blank', { viewport: STAGE });
  const toUrl = (picture: Buffer): string => `data:image/png;base64,${picture.toString('base64')}`;
  /** Adds both screens as they are now; `button` is marked as tapped. */
  const show = async (caption: string, ms: number, button?: string): Promise<void> => {
    const box = button
      ? await phone.page
          .getByRole('log')
          .getByRole('button', { name: button, exact: true })
          .last()
          .boundingBox()
      : null;
    const tap = box
      ? `<div class="tap" style="left: ${(box.x + box.width / 2) * SCALE}px; top: ${(box.y + box.height / 2) * SCALE}px"></div>`
      : '';
    const options = { animations: 'disabled', caret: 'hide' } as const;
    const [left, right] = [await phone.page.screenshot(options), await forge.page.screenshot(options)];
    await stage.page.setContent(
      `<style>${STYLE}</style><figure class="phone"><img src="${toUrl(left)}">${tap}</figure>` +
        `<figure class="forge"><img src="${toUrl(right)}"></figure><p>${caption}</p>`,
    );
    const file = join(folder, `${String(frames.length).padStart(3, '0')}.png`);
    await stage.page.screenshot({ path: file });
    frames.push({ file, ms });
  };
  const agree = async (button: 'Open PR' | 'Push fix', caption: string): Promise<void> => {
    await ana.looksUp();
    await show(caption, 1_400, button);
    await ana.taps(button);
    await phone.page.getByRole('button', { name: 'Confirm', exact: true }).waitFor();
    await show('Asked once more', 900, 'Confirm');
    await ana.taps('Confirm');
  };
  const pull = ['acme/patient', 1] as const;
  await ana.opensChat('agentpr demo');
  await forge.page.getByRole('link', { name: pull[0] }).click();
  await phone.page.getByRole('textbox', { name: 'Message' }).fill(`/new ${pull[0]} ${sampleGoal}`);
  await show('An order from the phone', 1_800);
  await phone.page.getByRole('button', { name: 'Send' }).tap();
  await ana.reads('Open this');
  await show('A coding agent works, and the checks of the repository run', 1_800);
  await ana.reads('Ready for your decision');
  await ana.looksUp();
  await show('A card shows what would be published. No pull request exists yet', 3_200);
  await agree('Open PR', 'You decide');
  await forge.page.locator(`a[href="/${pull[0]}/pull/${pull[1]}"]`).first().waitFor();
  await forge.page.locator(`a[href="/${pull[0]}/pull/${pull[1]}"]`).first().click();
  await forge.page.getByRole('heading', { level: 1 }).waitFor();
  await show('The pull request opens: exactly the bytes that you approved', 2_600);
  await maintainer.seesChecks('1 of 2 checks failed');
  await forge.page.locator('#checks').scrollIntoViewIfNeeded();
  await show('A check fails. The agent reads why', 1_800);
  await ana.reads('Push this fix');
  await agree('Push fix', 'Its fix is a card as well');
  await maintainer.seesChecks('All 2 checks passed');
  await show('Checks are green', 2_000);
  await maintainer.reviews('Approve');
  await maintainer.merges();
  await forge.page.locator('#merge').scrollIntoViewIfNeeded();
  await phone.page
    .getByRole('log')
    .getByText(/merged/i)
    .last()
    .waitFor();
  await show('A person merges. AgentPR has no code that does', 3_500);
} finally {
  await world.close();
}
execFileSync('img2webp', [
  ...['-loop', '0', '-lossless', '-m', '6'],
  ...frames.flatMap(({ file, ms }) => ['-d', String(ms), file]),
  ...['-o', FILE],
]);
rmSync(folder, { recursive: true });
const { size } = statSync(FILE);
console.log(`${FILE}: ${frames.length} pictures, ${size} bytes`);
if (size > MAX_BYTES) throw new Error(`The animation has ${size} bytes, which is more than ${MAX_BYTES}`);
